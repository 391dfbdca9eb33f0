/** Point-in-time recovery of the embedded database: its write-ahead log is copied continuously, its files once a day. */
import { readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { writeBase } from "./base.ts";
import { createWalCopier, findArchivedEnd, type WalCopier, WalGapError } from "./copy-wal.ts";
import { baseFolder, listBases, nameBase, openArchiveFolder, pruneArchive } from "./folder.ts";
import { formatLsn, type Lsn, parseLsn, SEGMENT_BYTES, segmentName } from "./segment.ts";

const COPY_EVERY_MS = 200;
const RETRY_AFTER_MS = 5_000;
const DAY_MS = 24 * 3_600_000;
const KEPT_DAYS = 7;
/** A date further ahead was written by a clock that was wrong, and says nothing about today. */
const CLOCK_SKEW_MS = 60_000;
/** Keeps the log until it has been copied, up to `max_slot_wal_keep_size`. */
const SLOT = "license_desk_archive";

export interface ArchiveOptions {
  /** Of the superuser. */
  readonly adminUrl: string;
  readonly clusterDir: string;
  /** With the cluster's passwords. */
  readonly stateFile: string;
  readonly folder: string;
  readonly log: (line: string) => void;
}

export interface Archive {
  stop(): Promise<void>;
}

/** Archives until stopped, and goes on after failures. @throws if the folder cannot be used */
export async function startArchive(options: ArchiveOptions): Promise<Archive> {
  const { folder, adminUrl, log } = options;
  const client = await connect(adminUrl);
  try {
    const { rows } = await client.query<{ system: string }>(
      "select system_identifier::text as system from pg_control_system()",
    );
    openArchiveFolder(folder, String(rows[0]?.system));
  } finally {
    await client.end();
  }
  const stopping = new AbortController();
  const run = async () => {
    let failing = false;
    while (!stopping.signal.aborted) {
      try {
        await archive(options, stopping.signal, () => {
          if (failing) log("The archive is complete again.");
          failing = false;
        });
      } catch (error) {
        if (!failing) log(`The archive in ${folder} stands still: ${(error as Error).message}`);
        failing = true;
        await sleep(RETRY_AFTER_MS, null, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const running = run();
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
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

async function archive(options: ArchiveOptions, stopping: AbortSignal, onCopied: () => void): Promise<void> {
  const { adminUrl, folder } = options;
  const client = await connect(adminUrl);
  const ended = new AbortController();
  let base: Promise<void> | null = null;
  let failure: unknown = null;
  let copier: WalCopier | null = null;
  try {
    const place = await readPlace(client);
    copier = await beginCopying(client, options, place);
    const running = copier;
    for (; !stopping.aborted; await sleep(COPY_EVERY_MS)) {
      const { flushed } = await readPlace(client);
      const before = running.position;
      await running.copyTo(flushed);
      if (before / SEGMENT_BYTES !== running.position / SEGMENT_BYTES) {
        await client.query("select pg_replication_slot_advance($1, $2)", [SLOT, formatLsn(running.position)]);
      }
      if (failure !== null) throw failure;
      if (base === null && needsBase(folder, place.timeline)) {
        base = makeBase(options, place.timeline, running, AbortSignal.any([stopping, ended.signal])).then(
          () => {
            base = null;
          },
          (error) => {
            if (!stopping.aborted) failure = error;
          },
        );
      }
      if (base === null) onCopied();
    }
    // What was committed before the stop.
    await running.copyTo((await readPlace(client)).flushed);
  } finally {
    // A base waits for the copier, which copies nothing more.
    ended.abort();
    await base;
    await copier?.close();
    await client.end().catch(() => undefined);
  }
}

async function readPlace(client: pg.Client): Promise<{ readonly flushed: Lsn; readonly timeline: string }> {
  const { rows } = await client.query<{ flushed: string; file: string }>(
    "select lsn::text as flushed, pg_walfile_name(lsn) as file from pg_current_wal_flush_lsn() lsn",
  );
  return { flushed: parseLsn(String(rows[0]?.flushed)), timeline: String(rows[0]?.file).slice(0, 8) };
}

/** Goes on where the archive ends. If the log from there is gone, the archive begins again with a new base. */
async function beginCopying(
  client: pg.Client,
  { clusterDir, folder, log }: ArchiveOptions,
  { flushed, timeline }: { readonly flushed: Lsn; readonly timeline: string },
): Promise<WalCopier> {
  const { rows } = await client.query<{ lost: boolean }>(
    "select wal_status = 'lost' as lost from pg_replication_slots where slot_name = $1",
    [SLOT],
  );
  if (rows[0]?.lost) await client.query("select pg_drop_replication_slot($1)", [SLOT]);
  if (!rows[0] || rows[0].lost) await client.query("select pg_create_physical_replication_slot($1, true)", [SLOT]);
  const end = findArchivedEnd(folder, timeline);
  if (end !== null) {
    const copier = createWalCopier({ clusterDir, folder, timeline, start: end });
    try {
      await copier.copyTo(flushed);
      return copier;
    } catch (error) {
      await copier.close();
      if (!(error instanceof WalGapError)) throw error;
      log(`The archive in ${folder} has a gap (${error.message}): it begins again with a new copy of the database.`);
      for (const { file } of listBases(folder)) rmSync(file);
    }
  }
  const start = (flushed / SEGMENT_BYTES) * SEGMENT_BYTES;
  return createWalCopier({ clusterDir, folder, timeline, start });
}

function needsBase(folder: string, timeline: string): boolean {
  return !listBases(folder).some(({ segment, finishedAt }) => {
    const age = Date.now() - finishedAt.getTime();
    return segment.startsWith(timeline) && age <= DAY_MS && age >= -CLOCK_SKEW_MS;
  });
}

/** Counts only once the log that it needs is in the archive. */
async function makeBase(
  { adminUrl, clusterDir, stateFile, folder }: ArchiveOptions,
  timeline: string,
  copier: WalCopier,
  stopping: AbortSignal,
): Promise<void> {
  const partial = join(baseFolder(folder), "new.partial");
  const segment = segmentName(timeline, copier.position);
  const client = await connect(adminUrl);
  try {
    const state = readFileSync(stateFile, "utf8");
    const end = await writeBase({ client, clusterDir, file: partial, state, stopping });
    while (copier.position < end) await sleep(COPY_EVERY_MS, null, { signal: stopping });
    renameSync(partial, join(baseFolder(folder), nameBase(new Date(), segment)));
    pruneArchive(folder, new Date(Date.now() - KEPT_DAYS * DAY_MS));
  } finally {
    rmSync(partial, { force: true });
    await client.end();
  }
}

async function connect(adminUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "license-desk archive" });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
