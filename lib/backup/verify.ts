import { mkdir, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { streamAuditLinks } from "#lib/db/audit/links.ts";
import { openDatabase } from "#lib/db/connection/client.ts";
import { compareWallets } from "#lib/db/wallet/comparison.ts";
import { AuditChain } from "#lib/domain/audit-chain.ts";
import { DataDirInUseError } from "#lib/embedded/data-dir-lock.ts";
import { removeTemporaryPostgres, startTemporaryPostgres } from "#lib/embedded/temporary-postgres.ts";
import { readBackup, restoreBackup } from "./restore.ts";

/** For the temporary server's own files and its log. The disk, which may be the live database's, stays usable. */
const SPARE_BYTES = 2 * 2 ** 30;
const GIB = 2 ** 30;

/**
 * Restores a backup into a temporary database and checks its books, if the disk has space for it and no other check runs.
 * @returns sentences: what does not agree, or that it was not checked
 * @throws if it cannot be restored
 */
export async function verifyBackup(options: {
  readonly file: string;
  readonly passphrase: string | null;
  /** For the temporary database. */
  readonly folder: string;
  /** The size of the original. */
  readonly databaseBytes: number;
  readonly migrationsDir: string;
}): Promise<string[]> {
  const { file, passphrase, folder, databaseBytes, migrationsDir } = options;
  const inUse = [`The backup was not checked: another check uses ${folder}.`];
  if (!(await removeTemporaryPostgres(folder))) return inUse;
  const missing = await findMissingSpace(dirname(folder), databaseBytes + SPARE_BYTES);
  if (missing !== null) return [missing];
  const contents = await readBackup({ file, passphrase });
  // Another may have begun while this one read its file.
  const postgres = await startTemporaryPostgres(folder).catch((error) => {
    if (error instanceof DataDirInUseError) return null;
    throw error;
  });
  if (postgres === null) return inUse;
  try {
    await restoreBackup({ file, passphrase, databaseUrl: postgres.url, migrationsDir }, contents);
    return await findProblems(postgres.url);
  } finally {
    await postgres.stop();
  }
}

async function findMissingSpace(folder: string, neededBytes: number): Promise<string | null> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes) return null;
  const [needed, free] = [Math.ceil((neededBytes / GIB) * 10), Math.floor((freeBytes / GIB) * 10)];
  return `The backup was not checked: that needs ${needed / 10} GiB in ${folder}, and ${free / 10} GiB are free.`;
}

async function findProblems(url: string): Promise<string[]> {
  const db = openDatabase({ url, poolSize: 1, readOnly: true });
  try {
    const wallets = await compareWallets(db);
    const chain = new AuditChain();
    for await (const links of streamAuditLinks(db)) for (const link of links) chain.add(link);
    chain.end();
    const found = {
      wallets: wallets.differences,
      currencies: wallets.currencyDifferences,
      "core lots": wallets.lotDifferences,
      "audit entries": chain.problems,
    };
    return Object.entries(found).flatMap(([name, { length }]) =>
      length > 0 ? [`The books of this database do not agree: ${length} ${name} do not agree.`] : [],
    );
  } finally {
    await db.close();
  }
}
