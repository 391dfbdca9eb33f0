import { open, rename, rm, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { openSnapshot, type Snapshot } from "#lib/db/backup/snapshot.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { nullIfAbsent } from "#lib/embedded/absent.ts";
import { type ArchiveEntry, writeArchive } from "./archive.ts";
import { MANIFEST, type Manifest, SECRETS, tableFolder } from "./manifest.ts";
import { verifyBackup } from "./verify.ts";

export interface BackupOptions {
  readonly databaseUrl: string;
  /** The new file. */
  readonly file: string;
  /** Null: not encrypted. */
  readonly passphrase: string | null;
  /** `secrets.json` as it is; null: left out. */
  readonly secrets: string | null;
  /** Where the backup is restored to check it; null: it is not checked. */
  readonly checkIn: string | null;
  readonly migrationsDir: string;
}

export interface BackupResult {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly databaseBytes: number;
  readonly verified: boolean;
  /** Sentences: it could not be checked, or was restored and its books do not agree. */
  readonly problems: readonly string[];
}

const MIB = 2 ** 20;
const PIECE_BYTES = 8 * MIB;
const PIECE_DIGITS = 6;

/** The name of a backup made now. */
export function nameBackup(at: Date, encrypted: boolean): string {
  return `license-desk-${toTimestamp(at).replaceAll(/[-:]/g, "")}.tar.gz${encrypted ? ".age" : ""}`;
}

/**
 * Backs the database up while License Desk runs, and checks the result by restoring it. The file appears under its name
 * once it is whole and restorable, or cannot be checked.
 * @throws if it cannot be written or restored; no file is left
 */
export async function createBackup(options: BackupOptions): Promise<BackupResult> {
  const { databaseUrl, file, passphrase, secrets, checkIn, migrationsDir } = options;
  const folder = dirname(file);
  if (!(await stat(folder).catch(nullIfAbsent))?.isDirectory()) throw new Error(`There is no folder ${folder}.`);
  if (await stat(file).catch(nullIfAbsent)) throw new Error(`${file} exists already.`);
  const partial = `${file}.partial`;
  const snapshot = await openSnapshot(databaseUrl);
  try {
    await rm(partial, { force: true });
    const written = await writeArchive(partial, passphrase, listEntries(snapshot, secrets)).catch(async (error) => {
      const hint = error.code === "ENOSPC" ? await describeSpace(partial).catch(() => "") : "";
      throw new Error(`The backup could not be written to ${folder}: ${error.message}.${hint}`, { cause: error });
    });
    await snapshot.release();
    const { databaseBytes } = snapshot;
    const check = { file: partial, passphrase, databaseBytes, migrationsDir };
    const problems = checkIn === null ? null : await verifyBackup({ ...check, folder: checkIn });
    await rename(partial, file);
    await syncFolder(folder);
    return { file, ...written, databaseBytes, verified: problems?.length === 0, problems: problems ?? [] };
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await snapshot.close();
  }
}

async function describeSpace(partial: string): Promise<string> {
  await rm(partial, { force: true });
  const { bavail, bsize } = await statfs(dirname(partial));
  return ` Its unfinished file is removed; it needs more than the ${Math.floor((bavail * bsize) / MIB)} MiB that are free now.`;
}

async function* listEntries(snapshot: Snapshot, secrets: string | null): AsyncGenerator<ArchiveEntry> {
  const { contents, takenAt } = snapshot;
  const manifest: Manifest = { format: 1, created_at: takenAt.toISOString(), ...contents };
  yield { name: MANIFEST, bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) };
  if (secrets !== null) yield { name: SECRETS, bytes: Buffer.from(secrets) };
  for (const table of contents.tables) {
    let number = 0;
    for await (const bytes of inPieces(snapshot.copyOut(table))) {
      number += 1;
      yield { name: `${tableFolder(table.name)}${String(number).padStart(PIECE_DIGITS, "0")}`, bytes };
    }
  }
}

/** Of PIECE_BYTES each; the last one has the rest. */
async function* inPieces(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of rows) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(pieces);
}

/** Makes the file's name survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
