import {
  chownSync,
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { clusterIn, type EmbeddedPostgres, restoreState, startEmbeddedPostgres } from "#lib/embedded/postgres.ts";
import type { Cluster } from "#lib/embedded/postgres-cluster.ts";
import { restoring } from "#lib/embedded/unfinished-restore.ts";
import { readBase, STATE_ENTRY } from "./base.ts";
import { type ChosenBase, chooseBase } from "./choose-base.ts";
import { type ArchivedSegment, type Base, listSegments } from "./folder.ts";
import type { Line } from "./line.ts";
import { parseSegment, SEGMENT_BYTES, segmentName } from "./segment.ts";

const POLL_MS = 200;
const SETTINGS_FILE = "postgresql.auto.conf";

export interface ArchiveRestore {
  readonly folder: string;
  /** Its name; null: the one that was in service then. */
  readonly line: string | null;
  /** Null: everything that was archived. */
  readonly at: Date | null;
  /** The caller holds its lock. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
}

/** Whether a path is the folder of an archive, not a backup's file. */
export function isArchive(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * Brings the database back as it was at an instant, in a DATA_DIR without one. Its next start is in safe mode.
 */
export async function restoreArchive(options: ArchiveRestore): Promise<ChosenBase> {
  return restoring(options.dataDir, options.folder, () => unpackAndReplay(options));
}

async function unpackAndReplay(options: ArchiveRestore): Promise<ChosenBase> {
  const { dataDir, at, log } = options;
  const { line, base } = await chooseBase(options);
  const segments = await listNeededSegments(line.folder, base);
  const cluster = clusterIn(dataDir);
  rmSync(cluster.logFile, { force: true });
  try {
    await unpack(base, cluster, dataDir);
    const settings = prepareRecovery(at, segments, cluster);
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    try {
      await finishRecovery(postgres);
    } finally {
      await postgres.stop();
    }
    writeFileSync(join(cluster.dir, SETTINGS_FILE), settings);
  } catch (error) {
    throw explain(error, cluster, line);
  }
  return { line, base };
}

async function unpack(base: Base, cluster: Cluster, dataDir: string): Promise<void> {
  const { dir, user } = cluster;
  const own = (path: string) => {
    if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid);
  };
  mkdirSync(dir, { mode: 0o700 });
  own(dir);
  for await (const { name, isFolder, content } of readBase(base.file)) {
    const path = join(dir, name);
    if (name === STATE_ENTRY) {
      restoreState(dataDir, await text(content));
      continue;
    }
    if (isFolder) mkdirSync(path, { recursive: true, mode: 0o700 });
    else await pipeline(content, createWriteStream(path, { mode: 0o600 }));
    own(path);
  }
}

/** @throws if one is missing */
async function listNeededSegments(line: string, { segment: first }: Base): Promise<ArchivedSegment[]> {
  const parsed = parseSegment(first);
  if (!parsed) throw new Error(`${first} is not a segment.`);
  let { start } = parsed;
  const segments = (await listSegments(line)).filter(({ name }) => name >= first);
  for (const segment of segments) {
    if (segment.start !== start) break;
    start += SEGMENT_BYTES;
  }
  const last = segments.at(-1);
  if (last && start > last.start) return segments;
  throw new Error(`The archive in ${line} lacks the segment ${segmentName(parsed.timeline, start)}.`);
}

/** Puts the log into its place and asks the server to replay it. Returns the settings to have afterwards. */
function prepareRecovery(at: Date | null, segments: readonly ArchivedSegment[], { dir, user }: Cluster): string {
  const file = join(dir, SETTINGS_FILE);
  const settings = readFileSync(file, "utf8");
  const recovery = [
    // Everything is in pg_wal.
    "restore_command = 'exit 1'",
    "recovery_target_timeline = 'current'",
    ...(at === null
      ? []
      : [`recovery_target_time = '${at.toISOString().replace("Z", "+00")}'`, "recovery_target_action = 'promote'"]),
  ];
  const written = segments.map((segment) => {
    const path = join(dir, "pg_wal", segment.name);
    copyFileSync(segment.file, path);
    return path;
  });
  writeFileSync(file, `${settings}${recovery.join("\n")}\n`);
  writeFileSync(join(dir, "recovery.signal"), "");
  const { uid, gid } = user;
  if (uid !== undefined && gid !== undefined) {
    for (const path of [...written, file, join(dir, "recovery.signal")]) chownSync(path, uid, gid);
  }
  return settings;
}

/** Waits until the log is replayed, and marks the database as a copy. */
async function finishRecovery({ adminUrl, url }: EmbeddedPostgres): Promise<void> {
  await withClient(adminUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ recovering: boolean }>("select pg_is_in_recovery() as recovering");
      if (!rows[0]?.recovering) return;
      await sleep(POLL_MS);
    }
  });
  // It is at the place of the original, which would make it look like it.
  await withClient(url, (client) => client.query("update deployment set place = 'restored'"));
}

async function withClient(url: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // The query fails instead.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Why the server ended, by its log, which has the reason before the connection breaks. */
function explain(error: unknown, { logFile }: Cluster, { name }: Line): unknown {
  const lines = existsSync(logFile) ? readFileSync(logFile, "utf8").split("\n") : [];
  // Not the answers to connections.
  const fatal = lines.find((line) => line.includes("FATAL:") && !line.includes("the database system is"));
  if (fatal?.includes("before configured recovery target was reached")) {
    const message = `The line ${name} ends before that time: restore all of it by --line ${name}, without --at.`;
    return new Error(message, { cause: error });
  }
  return fatal === undefined ? error : new Error(`The archive could not be replayed: ${fatal}`, { cause: error });
}
