/** Point-in-time recovery of the embedded database: its write-ahead log is copied continuously, its files once a day. */
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { writeBase } from "./base.ts";
import { type ArchiveSource, beginCopying, connect, copyStep, type LineCopy, readPlace, SLOT } from "./begin.ts";
import { type Base, baseFolder, listBases, nameBase, pruneLine } from "./folder.ts";
import { listLines, pruneLines } from "./line.ts";
import { formatLsn, SEGMENT_BYTES, segmentName } from "./segment.ts";

const COPY_EVERY_MS = 200;
const RETRY_AFTER_MS = 5_000;
/** A folder of a mount that hangs returns no error. */
const SILENT_AFTER_MS = 10_000;
const DAY_MS = 24 * 3_600_000;
const KEPT_DAYS = 7;
/** A date further ahead was written by a clock that was wrong, and says nothing about today. */
const CLOCK_SKEW_MS = 60_000;

export interface ArchiveOptions extends Omit<ArchiveSource, "writerId"> {
  /** With the cluster's passwords. */
  readonly stateFile: string;
}

export interface ArchiveProgress {
  /** Whether it has everything that was committed a second ago, and can be restored. */
  readonly complete: boolean;
  /** Why it stands still. Null: it does not, or is behind for a reason of its own. */
  readonly problem: string | null;
}

export interface Archive {
  readProgress(): ArchiveProgress;
  stop(): Promise<void>;
}

/**
 * Archives until stopped, and goes on after failures. Only for a database that is in service: a copy would become a line
 * of its own. @throws if the folder cannot be used
 */
export async function startArchive(options: ArchiveOptions): Promise<Archive> {
  const { folder, log } = options;
  await withinTime(requireUsable(options), () => {
    throw new Error(`ARCHIVE_DIR ${folder} does not answer.`);
  });
  const stopping = new AbortController();
  let problem: string | null = null;
  let complete = false;
  let lastCopy = performance.now();
  const fail = (reason: string) => {
    if (problem === null) log(`The archive in ${folder} stands still: ${reason}`);
    problem = reason;
  };
  const watch = setInterval(() => {
    if (performance.now() - lastCopy > SILENT_AFTER_MS) fail("the folder does not answer");
  }, 1_000);
  const source = { ...options, writerId: randomUUID() };
  const onCopied = (copied: Copied) => {
    lastCopy = performance.now();
    complete = copied.everything && copied.hasBase;
    if (!copied.everything || copied.makesBase) return;
    if (problem !== null) log("The archive is complete again.");
    problem = null;
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        await archive(source, stopping.signal, onCopied);
      } catch (error) {
        fail((error as Error).message);
        await sleep(RETRY_AFTER_MS, null, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const running = run();
  return {
    readProgress: () => ({ complete: complete && problem === null, problem }),
    async stop() {
      stopping.abort();
      clearInterval(watch);
      await withinTime(running, () =>
        log(`The archive in ${folder} does not answer: the next start copies what was written since.`),
      );
    },
  };
}

async function withinTime<Result>(work: Promise<Result>, otherwise: () => void): Promise<void> {
  const late = Symbol("late");
  if ((await Promise.race([work, sleep(SILENT_AFTER_MS, late, { ref: false })])) === late) otherwise();
}

async function requireUsable(options: ArchiveOptions): Promise<void> {
  await requireOwnArchive(options);
  await requireWritable(options.folder);
}

/** Creates the folder. */
async function requireWritable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${randomUUID()}.tmp`);
  await writeFile(file, "", { mode: 0o600 });
  await rm(file);
}

async function requireOwnArchive({ adminUrl, folder }: ArchiveOptions): Promise<void> {
  const client = await connect(adminUrl);
  try {
    const { system } = await readPlace(client);
    if ((await listLines(folder)).some((line) => line.system !== system)) {
      throw new Error(`ARCHIVE_DIR ${folder} has the archive of another database: use an empty folder.`);
    }
  } finally {
    await client.end();
  }
}

/** Lets the server delete its log again, after ARCHIVE_DIR was removed. */
export async function dropArchiveSlot(adminUrl: string): Promise<void> {
  const client = await connect(adminUrl);
  try {
    await client.query("select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1", [
      SLOT,
    ]);
  } finally {
    await client.end();
  }
}

type Source = ArchiveSource & ArchiveOptions;

interface Copied {
  readonly everything: boolean;
  readonly hasBase: boolean;
  readonly makesBase: boolean;
}

async function archive(source: Source, stopping: AbortSignal, onCopied: (copied: Copied) => void): Promise<void> {
  const client = await connect(source.adminUrl);
  const ended = new AbortController();
  let making: Promise<void> | null = null;
  let failure: unknown = null;
  let copy: LineCopy | null = null;
  try {
    const running = await beginCopying(client, source);
    copy = running;
    const { copier, writer } = running;
    let bases = await listBases(writer.line.folder);
    for (; !stopping.aborted; await sleep(COPY_EVERY_MS)) {
      const everything = await copyWritten(client, running);
      if (failure !== null) throw failure;
      if (making === null && needsBase(bases)) {
        making = makeBase(source, running, AbortSignal.any([stopping, ended.signal])).then(
          (made) => {
            bases = made;
            making = null;
          },
          (error) => {
            if (!stopping.aborted) failure = error;
          },
        );
      }
      onCopied({ everything, hasBase: bases.length > 0, makesBase: making !== null });
    }
    // What was committed before the stop.
    const { flushed, at } = await readPlace(client);
    await copier.copyTo(flushed);
    await writer.release(at);
  } finally {
    // A base waits for the copier, which copies nothing more.
    ended.abort();
    await making;
    await copy?.copier.close();
    await client.end().catch(() => undefined);
  }
}

/** Returns whether everything was copied. */
async function copyWritten(client: pg.Client, { copier, writer }: LineCopy): Promise<boolean> {
  const { flushed, at } = await readPlace(client);
  const before = copier.position;
  const complete = await copyStep(copier, flushed);
  await writer.beat(complete ? at : null);
  if (before / SEGMENT_BYTES !== copier.position / SEGMENT_BYTES) {
    await client.query("select pg_replication_slot_advance($1, $2)", [SLOT, formatLsn(copier.position)]);
  }
  return complete;
}

function needsBase(bases: readonly Base[]): boolean {
  return !bases.some(({ finishedAt }) => {
    const age = Date.now() - finishedAt.getTime();
    return age <= DAY_MS && age >= -CLOCK_SKEW_MS;
  });
}

/** Counts only once the log that it needs is in the archive. Returns the bases of the line. */
async function makeBase(
  { adminUrl, clusterDir, stateFile, folder }: ArchiveOptions,
  { copier, writer: { line }, timeline }: LineCopy,
  stopping: AbortSignal,
): Promise<Base[]> {
  const partial = join(baseFolder(line.folder), "new.partial");
  const segment = segmentName(timeline, copier.position);
  const client = await connect(adminUrl);
  try {
    const state = await readFile(stateFile, "utf8");
    const end = await writeBase({ client, clusterDir, file: partial, state, stopping });
    while (copier.position < end) await sleep(COPY_EVERY_MS, null, { signal: stopping });
    await rename(partial, join(baseFolder(line.folder), nameBase(new Date(), segment)));
    const before = new Date(Date.now() - KEPT_DAYS * DAY_MS);
    const bases = await pruneLine(line.folder, before);
    await pruneLines(folder, line, before);
    return bases;
  } finally {
    await rm(partial, { force: true });
    await client.end();
  }
}
