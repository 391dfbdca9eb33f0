import { join } from "node:path";
import { Command } from "commander";
import { type BackupContents, readBackup, restoreBackup } from "#lib/backup/restore.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { type ArchiveRestore, isArchive, restoreArchive } from "#lib/embedded/archive/restore.ts";
import { hasSecrets, openDataDir, restoreSecrets } from "#lib/embedded/data-dir.ts";
import { lockDataDir } from "#lib/embedded/data-dir-lock.ts";
import { hasCluster, startEmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { describeUnfinishedRestore, restoring } from "#lib/embedded/unfinished-restore.ts";
import { type Env, readEnv } from "#lib/env.ts";
import { migrationsDir } from "#lib/server/prepare-database.ts";
import { readPassphrase } from "./backup.ts";
import { UsageError } from "./error.ts";
import { endingOnSignal } from "./interrupt.ts";
import { readInstant } from "./options.ts";
import { note, printJson, timestampOrNull } from "./output.ts";

type RestoreOptions = { from: string; into?: string; at?: Date; line?: string; passphraseFile?: string };

export function restoreCommand(): Command {
  return new Command("restore")
    .description("restore a backup into an empty database, which starts in safe mode")
    .requiredOption("--from <path>", "the backup's file, or an ARCHIVE_DIR")
    .option("--at <instant>", "of an archive: as it was then; by default all of it", readInstant)
    .option("--line <name>", "of an archive: the line to restore, if several may be meant")
    .option("--into <url>", "an empty database; by default DATABASE_URL, else a new one in DATA_DIR")
    .option("--passphrase-file <file>", "passphrase of the backup; by default BACKUP_PASSPHRASE")
    .action((options: RestoreOptions) => endingOnSignal("Interrupted.", () => restore(options)));
}

async function restore({ from, into, at, line, passphraseFile }: RestoreOptions): Promise<void> {
  const env = readEnv();
  if (isArchive(from)) return restoreFromArchive(env, { folder: from, at: at ?? null, line: line ?? null });
  if (at !== undefined || line !== undefined) throw new UsageError("--at and --line need an archive, not a backup.");
  const backup = { file: from, passphrase: readPassphrase(passphraseFile, env.BACKUP_PASSPHRASE) };
  const contents = await readBackup(backup);
  const fill = (databaseUrl: string) => restoreBackup({ ...backup, databaseUrl, migrationsDir }, contents);
  const databaseUrl = into ?? env.DATABASE_URL;
  await (databaseUrl === undefined ? restoreIntoDataDir(env, from, fill) : fill(databaseUrl));
  const secrets = keepSecrets(env, contents);
  printJson({ file: from, created_at: contents.manifest.created_at, secrets });
  note(nextSteps(secrets, env.DATA_DIR));
}

async function restoreFromArchive(env: Env, source: Pick<ArchiveRestore, "folder" | "at" | "line">): Promise<void> {
  const dataDir = openDataDir(env.DATA_DIR);
  const lock = await lockDataDir(dataDir, note);
  try {
    const { line, base } = await restoreArchive({ ...source, dataDir, log: note });
    const secrets = hasSecrets(dataDir) ? "kept" : "missing";
    printJson({
      archive: source.folder,
      line: line.name,
      line_until: toTimestamp(line.writtenAt),
      base: toTimestamp(base.finishedAt),
      at: timestampOrNull(source.at),
      secrets,
    });
    note(nextSteps(secrets, dataDir));
  } finally {
    lock.release();
  }
}

async function restoreIntoDataDir(env: Env, from: string, fill: (databaseUrl: string) => Promise<void>): Promise<void> {
  const dataDir = openDataDir(env.DATA_DIR);
  const lock = await lockDataDir(dataDir, note);
  const restoreRows = async () => {
    const postgres = await startEmbeddedPostgres({ dataDir, log: note });
    try {
      await fill(postgres.url);
      postgres.completeFirstStart();
    } finally {
      await postgres.stop();
    }
  };
  try {
    const isNew = !hasCluster(dataDir) || describeUnfinishedRestore(dataDir) !== null;
    // Into a database that is there, all rows or none.
    await (isNew ? restoring(dataDir, from, restoreRows) : restoreRows());
  } finally {
    lock.release();
  }
}

type SecretsOutcome = "restored" | "kept" | "missing";

/** Existing secrets are never replaced. */
function keepSecrets({ DATA_DIR: dataDir }: Env, { secrets }: BackupContents): SecretsOutcome {
  if (secrets === null) return hasSecrets(dataDir) ? "kept" : "missing";
  return restoreSecrets(openDataDir(dataDir), secrets) ? "restored" : "kept";
}

function nextSteps(secrets: SecretsOutcome, dataDir: string): string {
  const file = join(dataDir, "secrets.json");
  const about = {
    restored: `The secrets are in ${file}.`,
    kept: `${file} was there before and is unchanged: it must have the secrets of the backup's time.`,
    missing: `The secrets are not among it: copy the original's secrets.json to ${file}, or set its variables.`,
  };
  return (
    `Restored. ${about[secrets]} License Desk starts in safe mode on this database. To put it into service, stop the ` +
    'original for good, run "wallet verify" and "deployment resume", and compare with the providers ' +
    "(docs/operating/backups.md)."
  );
}
