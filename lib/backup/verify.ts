import { streamAuditLinks } from "#lib/db/audit/links.ts";
import { openDatabase } from "#lib/db/connection/client.ts";
import { compareWallets } from "#lib/db/wallet/comparison.ts";
import { AuditChain } from "#lib/domain/audit-chain.ts";
import { startTemporaryPostgres } from "#lib/embedded/temporary-postgres.ts";
import { readBackup, restoreBackup } from "./restore.ts";

/**
 * Restores a backup into a temporary database and checks its books.
 * @returns what does not agree
 * @throws if it cannot be restored
 */
export async function verifyBackup(options: {
  readonly file: string;
  readonly passphrase: string | null;
  /** For the temporary database. */
  readonly folder: string;
  readonly migrationsDir: string;
}): Promise<string[]> {
  const { file, passphrase, folder, migrationsDir } = options;
  const contents = await readBackup({ file, passphrase });
  const postgres = await startTemporaryPostgres(folder);
  try {
    await restoreBackup({ file, passphrase, databaseUrl: postgres.url, migrationsDir }, contents);
    return await findProblems(postgres.url);
  } finally {
    await postgres.stop();
  }
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
      length > 0 ? [`${length} ${name} do not agree`] : [],
    );
  } finally {
    await db.close();
  }
}
