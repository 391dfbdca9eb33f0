import { findUsedTable, loadContents } from "#lib/db/backup/load.ts";
import { openDatabase } from "#lib/db/connection/client.ts";
import { createPastPartitions } from "#lib/db/partition/partitions.ts";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import { readMigrationFiles } from "#lib/db/schema/migration-files.ts";
import { type ArchiveEntry, BackupFileError, readArchive } from "./archive.ts";
import { MANIFEST, type Manifest, manifestSchema, SECRETS, TABLES, tableFolder } from "./manifest.ts";

export interface BackupContents {
  readonly manifest: Manifest;
  /** `secrets.json` as it was; null: the backup has none. */
  readonly secrets: string | null;
}

interface BackupFile {
  readonly file: string;
  readonly passphrase: string | null;
}

/**
 * Reads the whole file, so that a damaged one is refused before anything is written.
 * @throws BackupFileError
 */
export async function readBackup({ file, passphrase }: BackupFile): Promise<BackupContents> {
  let manifest: Buffer | null = null;
  let secrets: string | null = null;
  for await (const { name, bytes } of readArchive(file, passphrase)) {
    if (name === MANIFEST) manifest = bytes;
    if (name === SECRETS) secrets = bytes.toString();
  }
  if (manifest === null) throw new BackupFileError(`${file} is not a backup of License Desk.`);
  return { manifest: parseManifest(file, manifest), secrets };
}

function parseManifest(file: string, bytes: Buffer): Manifest {
  const parsed = manifestSchema.safeParse(JSON.parse(bytes.toString()));
  if (parsed.success) return parsed.data;
  throw new BackupFileError(`${file} was made by a newer version of License Desk: restore it with that version.`);
}

async function requireKnownMigrations({ migrations }: Manifest, migrationsDir: string): Promise<void> {
  const known = await readMigrationFiles(migrationsDir);
  for (const { name, checksum } of migrations) {
    const file = known.find((migration) => migration.name === name);
    if (file?.checksum === checksum) continue;
    const newer = name > (known.at(-1)?.name ?? "");
    throw new BackupFileError(
      `This backup is of ${newer ? "a newer" : "another"} version of License Desk: migration ${name} is ` +
        `${file ? "not the same" : "not known"} here. Restore it with the version that made it.`,
    );
  }
}

/** @throws if the database has been used */
async function requireEmptyDatabase(databaseUrl: string): Promise<void> {
  const used = await findUsedTable(databaseUrl);
  if (used === null) return;
  throw new Error(`The database is not empty: it has rows in ${used}. Restore into a new one. Nothing was changed.`);
}

/**
 * Restores a backup into an empty database, then migrates it to this version.
 * @param contents what `readBackup` has returned for this file
 */
export async function restoreBackup(
  options: BackupFile & { readonly databaseUrl: string; readonly migrationsDir: string },
  { manifest }: BackupContents,
): Promise<void> {
  const { file, passphrase, databaseUrl, migrationsDir } = options;
  await requireKnownMigrations(manifest, migrationsDir);
  await requireEmptyDatabase(databaseUrl);
  const only = manifest.migrations.map(({ name }) => name);
  await applyMigrations({ databaseUrl, migrationsDir, only });
  await preparePartitions(databaseUrl, new Date(manifest.created_at));
  const entries = readArchive(file, passphrase);
  try {
    await loadContents(databaseUrl, manifest, rowsIn(entries, manifest));
  } finally {
    await entries.return(undefined);
  }
  await applyMigrations({ databaseUrl, migrationsDir });
}

async function preparePartitions(databaseUrl: string, backedUpAt: Date): Promise<void> {
  const db = openDatabase({ url: databaseUrl, poolSize: 1 });
  await createPastPartitions(db, backedUpAt).finally(() => db.close());
}

/** The rows of each table. Tables have to be asked for in the order of the archive. */
function rowsIn(entries: AsyncGenerator<ArchiveEntry>, { tables }: Manifest) {
  let next: ArchiveEntry | null | undefined;
  const readOn = async (): Promise<ArchiveEntry | null> => {
    for (;;) {
      const { value, done } = await entries.next();
      if (done) return null;
      if (value.name.startsWith(TABLES)) return value;
    }
  };
  return async function* (table: string): AsyncGenerator<Uint8Array> {
    if (next === undefined) next = await readOn();
    for (; next?.name.startsWith(tableFolder(table)); next = await readOn()) yield next.bytes;
    if (next && table === tables.at(-1)?.name) throw new Error(`The backup has ${next.name} in the wrong place.`);
  };
}
