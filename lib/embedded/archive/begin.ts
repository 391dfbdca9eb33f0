/** Where copying begins: in the line that this database has written before, or in a new one. */
import pg from "pg";
import { createWalCopier, findArchivedEnd, type WalCopier, WalGapError } from "./copy-wal.ts";
import { createLine, type LineOwner, type LineWriter, listLines, takeLine } from "./line.ts";
import { type Lsn, parseLsn, SEGMENT_BYTES } from "./segment.ts";

/** Keeps the log until it has been copied, up to `max_slot_wal_keep_size`. */
export const SLOT = "license_desk_archive";

export interface ArchiveSource {
  /** Of the superuser. */
  readonly adminUrl: string;
  readonly clusterDir: string;
  readonly folder: string;
  /** The deployment, and when it was put into service: a database that was restored and resumed is another one. */
  readonly deployment: string;
  /** Of this process. */
  readonly writerId: string;
  readonly log: (line: string) => void;
}

export interface LineCopy {
  readonly copier: WalCopier;
  readonly writer: LineWriter;
  readonly timeline: string;
}

interface Place {
  /** Everything that was committed before is flushed. */
  readonly at: Date;
  readonly flushed: Lsn;
  readonly timeline: string;
  readonly system: string;
}

export async function readPlace(client: pg.Client): Promise<Place> {
  const at = new Date();
  const { rows } = await client.query<{ flushed: string; file: string; system: string }>(
    `select lsn::text as flushed, pg_walfile_name(lsn) as file, system_identifier::text as system
       from pg_current_wal_flush_lsn() lsn, pg_control_system()`,
  );
  const [row] = rows;
  if (!row) throw new Error("The database does not say where its log is.");
  return { at, flushed: parseLsn(row.flushed), timeline: row.file.slice(0, 8), system: row.system };
}

/** Goes on where this database's line ends. If the log from there is gone, or is not this database's, a new one begins. */
export async function beginCopying(client: pg.Client, source: ArchiveSource): Promise<LineCopy> {
  const { clusterDir, folder, deployment, writerId } = source;
  await prepareSlot(client);
  const { flushed, timeline, system } = await readPlace(client);
  const owner: LineOwner = { system, timeline, deployment };
  const going = await goOn(source, owner, flushed);
  if (going) return going;
  const line = await createLine(folder, owner);
  const start = (flushed / SEGMENT_BYTES) * SEGMENT_BYTES;
  const writer = await takeLine(line, writerId);
  return { writer, timeline, copier: createWalCopier({ clusterDir, line: line.folder, timeline, start }) };
}

async function prepareSlot(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ lost: boolean }>(
    "select wal_status = 'lost' as lost from pg_replication_slots where slot_name = $1",
    [SLOT],
  );
  if (rows[0]?.lost) await client.query("select pg_drop_replication_slot($1)", [SLOT]);
  if (!rows[0] || rows[0].lost) await client.query("select pg_create_physical_replication_slot($1, true)", [SLOT]);
}

async function goOn(
  { clusterDir, folder, writerId, log }: ArchiveSource,
  { system, timeline, deployment }: LineOwner,
  flushed: Lsn,
): Promise<LineCopy | null> {
  const line = (await listLines(folder)).findLast(
    (other) => other.system === system && other.timeline === timeline && other.deployment === deployment,
  );
  if (!line) return null;
  const writer = await takeLine(line, writerId);
  const end = await findArchivedEnd(line.folder);
  const start = end ?? (flushed / SEGMENT_BYTES) * SEGMENT_BYTES;
  const copier = createWalCopier({ clusterDir, line: line.folder, timeline, start });
  try {
    if (flushed < start) throw new WalGapError("it is ahead of the database");
    await copyStep(copier, flushed);
    return { copier, writer, timeline };
  } catch (error) {
    await copier.close();
    if (!(error instanceof WalGapError)) throw error;
    log(`The archive in ${folder} has a gap (${error.message}): it begins again with a new copy of the database.`);
    await writer.release(null);
    return null;
  }
}

/** Copies one segment at most. Returns whether everything was copied. */
export async function copyStep(copier: WalCopier, flushed: Lsn): Promise<boolean> {
  const next = copier.position + SEGMENT_BYTES;
  await copier.copyTo(flushed < next ? flushed : next);
  return copier.position >= flushed;
}

export async function connect(adminUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "license-desk archive" });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
