/**
 * The lines of an archive, each in a folder of its own: what one database wrote since it was put into service, without a
 * gap. A restored, copied or repeatedly restored database never writes into a line of another one (docs/decisions/0078).
 */

import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { nullIfAbsent } from "#lib/embedded/absent.ts";
import { compactTime, createFolders, listBases } from "./folder.ts";

const OWNER_ONLY = 0o600;
const BEAT_MS = 1_000;
/** A writer that lives has renewed its entry by then. */
const SILENT_MS = 3 * BEAT_MS;
const LINE_FILE = "line.json";
const WRITER_FILE = "writer.json";

const ownerSchema = z.object({
  /** The cluster's system identifier. */
  system: z.string(),
  timeline: z.string(),
  /** The deployment, and when it was put into service. */
  deployment: z.string(),
});
const lineSchema = ownerSchema.extend({ startedAt: z.coerce.date() });
/** `writer` is null after it has stopped; everything until `at` is in the line. */
const writerSchema = z.object({
  writer: z.string().nullable(),
  place: z.string(),
  /** Changes as long as the writer lives. */
  beat: z.number(),
  at: z.coerce.date(),
});

export type LineOwner = z.infer<typeof ownerSchema>;

export interface Line extends LineOwner {
  readonly name: string;
  readonly folder: string;
  readonly startedAt: Date;
  /** Until when it has everything. */
  readonly writtenAt: Date;
  /** Whether its writer has not ended properly: it lives, or crashed. */
  readonly open: boolean;
}

export interface LineWriter {
  readonly line: Line;
  /**
   * Notes, at most once a second, that this process lives, and until when the line has everything. Null: as before.
   * @throws if another process writes it
   */
  beat(completeUntil: Date | null): Promise<void>;
  /** Lets another process write at once. */
  release(completeUntil: Date | null): Promise<void>;
}

/** Oldest first; empty if there is no such folder. */
export async function listLines(archive: string): Promise<Line[]> {
  const entries = (await readdir(archive, { withFileTypes: true }).catch(nullIfAbsent)) ?? [];
  const lines = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map(({ name }) => readLine(join(archive, name))),
  );
  return lines
    .filter((line) => line !== null)
    .toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
}

async function readLine(folder: string): Promise<Line | null> {
  const line = await readJson(join(folder, LINE_FILE), lineSchema);
  if (line === null) return null;
  const writer = await readWriter(folder);
  const writtenAt = writer?.at ?? line.startedAt;
  return { ...line, name: basename(folder), folder, writtenAt, open: (writer?.writer ?? null) !== null };
}

export async function createLine(archive: string, owner: LineOwner): Promise<Line> {
  const startedAt = new Date();
  const name = `${compactTime(startedAt)}-${randomUUID().slice(0, 8)}`;
  const folder = join(archive, name);
  await createFolders(folder);
  await writeJson(join(folder, LINE_FILE), { ...owner, startedAt });
  return { ...owner, name, folder, startedAt, writtenAt: startedAt, open: false };
}

/**
 * Makes this process the only writer of a line, by an id of its own.
 * @throws while another process writes it, such as one on a copy of the whole disk
 */
export async function takeLine(line: Line, id: string): Promise<LineWriter> {
  const { folder } = line;
  const before = await readWriter(folder);
  if (before !== null && before.writer !== null && before.writer !== id) {
    await sleep(SILENT_MS);
    const now = await readWriter(folder);
    if (now?.writer && (now.writer !== before.writer || now.beat !== before.beat)) throw taken(now.place);
  }
  const requireOwn = async () => {
    const found = await readWriter(folder);
    if (found !== null && found.writer !== id) throw taken(found.place);
  };
  const place = `${hostname()}, process ${process.pid}`;
  let beat = 0;
  let at = line.writtenAt;
  const write = (writer: string | null) => writeJson(join(folder, WRITER_FILE), { writer, place, beat, at });
  await write(id);
  let lastBeat = performance.now();
  return {
    line,
    async beat(completeUntil) {
      if (performance.now() - lastBeat < BEAT_MS) return;
      await requireOwn();
      beat += 1;
      at = completeUntil ?? at;
      await write(id);
      lastBeat = performance.now();
    },
    async release(completeUntil) {
      await requireOwn();
      at = completeUntil ?? at;
      await write(null);
    },
  };
}

const taken = (place: string) => new Error(`another License Desk writes it (${place})`);

/** Deletes the lines that ended before `before`, once this one reaches back so far. */
export async function pruneLines(archive: string, own: Line, before: Date): Promise<void> {
  const [oldest] = await listBases(own.folder);
  if (!oldest || oldest.finishedAt >= before) return;
  for (const { name, folder, writtenAt } of await listLines(archive)) {
    if (name !== own.name && writtenAt < before) await rm(folder, { recursive: true });
  }
}

const readWriter = (folder: string) => readJson(join(folder, WRITER_FILE), writerSchema);

/** Null: there is none. */
async function readJson<Schema extends z.ZodType>(file: string, schema: Schema): Promise<z.infer<Schema> | null> {
  const text = await readFile(file, "utf8").catch(nullIfAbsent);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new Error(`${file} is damaged.`);
  }
}

/** Atomic: readers see the old or the new file. */
async function writeJson(file: string, value: unknown): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  await writeFile(temporary, `${JSON.stringify(value)}\n`, { mode: OWNER_ONLY, flush: true });
  await rename(temporary, file);
}
