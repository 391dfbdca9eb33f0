/** The folder of a line: `wal/` with segments, the newest one as `.partial`, and `base/` with copies of the cluster. */
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
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

export const walFolder = (line: string) => join(line, "wal");
export const baseFolder = (line: string) => join(line, "base");

/** `20271031T140500Z` */
export const compactTime = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d{1,9}/g, "");

export const nameBase = (finishedAt: Date, segment: string) => `${compactTime(finishedAt)}-${segment}.tar.gz`;

export async function createFolders(line: string): Promise<void> {
  for (const path of [walFolder(line), baseFolder(line)]) await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Oldest first. */
export async function listBases(line: string): Promise<Base[]> {
  const names = await readdir(baseFolder(line));
  return names.toSorted().flatMap((name) => {
    const [, year, month, day, hours, minutes, seconds, segment = ""] = BASE.exec(name) ?? [];
    if (year === undefined) return [];
    const finishedAt = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
    return [{ file: join(baseFolder(line), name), finishedAt, segment }];
  });
}

/** In order. */
export async function listSegments(line: string): Promise<ArchivedSegment[]> {
  const entries = await readdir(walFolder(line));
  return entries.toSorted().flatMap((entry) => {
    const partial = entry.endsWith(PARTIAL);
    const name = partial ? entry.slice(0, -PARTIAL.length) : entry;
    const parsed = parseSegment(name);
    return parsed ? [{ file: join(walFolder(line), entry), name, partial, ...parsed }] : [];
  });
}

/**
 * Deletes the bases from before the one that reaches back to `before`, but for the last two, and the segments that none of
 * the others needs.
 * @returns the bases that are left
 */
export async function pruneLine(line: string, before: Date): Promise<Base[]> {
  const bases = await listBases(line);
  const reachesBack = bases.findLastIndex(({ finishedAt }) => finishedAt < before);
  const old = bases.slice(0, Math.max(0, Math.min(reachesBack, bases.length - 2)));
  for (const { file } of old) await rm(file);
  const left = bases.slice(old.length);
  const [oldest] = left;
  if (oldest) for (const { file, name } of await listSegments(line)) if (name < oldest.segment) await rm(file);
  return left;
}
