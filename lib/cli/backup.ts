import { readFileSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { Command } from "commander";
import { createBackup, nameBackup } from "#lib/backup/create.ts";
import { type BackupOutcome, recordBackup } from "#lib/backup/record.ts";
import { backupCheckFolder } from "#lib/embedded/data-dir.ts";
import { findCopyReason, requireServersSecrets } from "#lib/server/deployment.ts";
import { migrationsDir } from "#lib/server/prepare-database.ts";
import { CommandLineError, UsageError } from "./error.ts";
import { deploymentOf, type Installation, requireStoredSecrets, withInstallation } from "./installation.ts";
import { note, printJson } from "./output.ts";

type BackupOptions = { to?: string; passphraseFile?: string; withSecrets?: boolean; verify: boolean };

export function backupCommand(): Command {
  return new Command("backup")
    .description("back up the database, while License Desk runs, and check the file by restoring it")
    .option("--to <path>", "a folder, or the new file; by default BACKUP_DIR")
    .option("--passphrase-file <file>", "encrypt by the passphrase in this file; by default BACKUP_PASSPHRASE")
    .option("--with-secrets", "include the secrets; only in an encrypted backup")
    .option("--no-verify", "do not restore it into a temporary database")
    .action(async (options: BackupOptions) =>
      printJson(await withInstallation((installation) => backUp(installation, options))),
    );
}

async function backUp(installation: Installation, options: BackupOptions): Promise<object> {
  const { env, dataDir, databaseUrl } = installation;
  const passphrase = readPassphrase(options.passphraseFile, env.BACKUP_PASSPHRASE);
  const to = options.to ?? env.BACKUP_DIR;
  if (to === undefined) throw new UsageError("Say --to, or set BACKUP_DIR.");
  if (options.withSecrets && passphrase === null) {
    throw new UsageError("--with-secrets needs a passphrase: --passphrase-file or BACKUP_PASSPHRASE.");
  }
  const started = Date.now();
  const secrets = options.withSecrets ? await exportSecrets(installation) : null;
  const file = resolve(isFolder(to) ? join(to, nameBackup(new Date(), passphrase !== null)) : requireFileName(to));
  const checkIn = options.verify ? backupCheckFolder(dataDir) : null;
  const copy = await findCopyReason(deploymentOf(installation));
  const create = () => createBackup({ databaseUrl, file, passphrase, secrets, checkIn, migrationsDir });
  const { problems, ...made } = await (copy === null ? recordBackup(databaseUrl, create) : create());
  for (const problem of problems) note(problem);
  if (problems.length > 0) process.exitCode = 1;
  return describe(made, { encrypted: passphrase !== null, secrets: secrets !== null, started });
}

function describe(
  { file, bytes, sha256, databaseBytes, verified }: BackupOutcome,
  how: { encrypted: boolean; secrets: boolean; started: number },
): object {
  return {
    file,
    bytes,
    sha256,
    database_bytes: databaseBytes,
    seconds: (Date.now() - how.started) / 1_000,
    encrypted: how.encrypted,
    secrets: how.secrets,
    verified,
  };
}

/** The server's secrets as JSON. */
async function exportSecrets(installation: Installation): Promise<string> {
  const secrets = requireStoredSecrets(installation);
  const { apiKeyPepper: API_KEY_PEPPER, authSecret: NEXTAUTH_SECRET, encryptionKey: ENCRYPTION_KEY } = secrets;
  await requireServersSecrets(installation.databaseUrl, { API_KEY_PEPPER, NEXTAUTH_SECRET, ENCRYPTION_KEY });
  return `${JSON.stringify(secrets, null, 2)}\n`;
}

function isFolder(path: string): boolean {
  return path.endsWith("/") || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A mount that is away must not turn the folder of backups into a file. */
function requireFileName(path: string): string {
  if (extname(path) !== "") return path;
  throw new UsageError(`There is no folder ${path}. Create it, or name a new file such as ${path}.tar.gz.`);
}

/** From the file, without its last line break, else from the environment. Null: none. */
export function readPassphrase(file: string | undefined, configured: string | undefined): string | null {
  if (file === undefined) return configured ?? null;
  const passphrase = readFileSync(file, "utf8").replace(/\r?\n$/, "");
  if (passphrase.length < MIN_PASSPHRASE_LENGTH) {
    throw new CommandLineError(`The passphrase in ${file} must have at least ${MIN_PASSPHRASE_LENGTH} characters.`);
  }
  return passphrase;
}

const MIN_PASSPHRASE_LENGTH = 12;
