/** The archive's folder: `wal/` with segments, the newest one as `.partial`, and `base/` with copies of the cluster. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createPrivateJson, readJsonFile } from "#lib/embedded/private-file.ts";
import { type Lsn, parseSegment } from "./segment.ts";

export const PARTIAL = ".partial";
const BASE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([0-9A-F]{24})\.tar\.gz$/;

/** A copy of the cluster's files. */
export interface Base {
  readonly file: string;
  /** It can be recovered to any instant from then on. */
  readonly finishedAt: Date;
  /** The first segment that it needs. */
  readonly segment: string;
}

export interface ArchivedSegment {
  readonly file: string;
  readonly name: string;
  readonly timeline: string;
  readonly start: Lsn;
  readonly partial: boolean;
}

export const walFolder = (folder: string) => join(folder, "wal");
export const baseFolder = (folder: string) => join(folder, "base");

/** @throws if the folder has the archive of another cluster */
export function openArchiveFolder(folder: string, system: string): void {
  for (const path of [walFolder(folder), baseFolder(folder)]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const file = join(folder, "archive.json");
  if (createPrivateJson(file, { system })) return;
  if ((readJsonFile(file) as { system?: string }).system !== system) {
    throw new Error(`ARCHIVE_DIR ${folder} has the archive of another database: use an empty folder.`);
  }
}

export function nameBase(finishedAt: Date, segment: string): string {
  return `${finishedAt.toISOString().replaceAll(/[-:]|\.\d{1,9}/g, "")}-${segment}.tar.gz`;
}

/** Oldest first. */
export function listBases(folder: string): Base[] {
  return readdirSync(baseFolder(folder))
    .toSorted()
    .flatMap((name) => {
      const [, year, month, day, hours, minutes, seconds, segment = ""] = BASE.exec(name) ?? [];
      if (year === undefined) return [];
      const finishedAt = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
      return [{ file: join(baseFolder(folder), name), finishedAt, segment }];
    });
}

/** In order. */
export function listSegments(folder: string): ArchivedSegment[] {
  return readdirSync(walFolder(folder))
    .toSorted()
    .flatMap((entry) => {
      const partial = entry.endsWith(PARTIAL);
      const name = partial ? entry.slice(0, -PARTIAL.length) : entry;
      const parsed = parseSegment(name);
      return parsed ? [{ file: join(walFolder(folder), entry), name, partial, ...parsed }] : [];
    });
}

/** Deletes the bases that are older than `before`, but for the last two, and the segments that none of the others needs. */
export function pruneArchive(folder: string, before: Date): void {
  const bases = listBases(folder);
  const old = bases.slice(0, -2).filter(({ finishedAt }) => finishedAt < before);
  for (const { file } of old) rmSync(file);
  const oldest = bases[old.length];
  if (!oldest) return;
  for (const { file, name } of listSegments(folder)) if (name < oldest.segment) rmSync(file);
}
