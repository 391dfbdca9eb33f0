/**
 * Complete registrations with a charge (price, hold, provider, settlement, event) in the database, compared with
 * PostgreSQL's own TPC-B, with plain Prisma, and on one wallet.
 */
import pg from "pg";
import { compareWallets } from "#lib/db/wallet/comparison.ts";
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import { startBenchDatabase } from "./database.ts";
import { measurePgbench, preparePgbench } from "./pgbench.ts";
import { prismaVersion } from "./register-prisma.ts";
import { makeWallets, ourVersion, type Register } from "./register-versions.ts";
import type { RowReport } from "./report.ts";
import { type Contender, closedLoop, compare, type Measured, measureInTurn, roundsText, summarize } from "./rounds.ts";

const WALLETS = 64;
const POOL_SIZE = 32;
const PROVIDER_MS = 20;

export async function runRegisterRow(log: (line: string) => void): Promise<RowReport> {
  const cleanups: (() => Promise<unknown>)[] = [];
  try {
    const database = await startBenchDatabase(POOL_SIZE);
    cleanups.push(database.stop);
    Object.assign(process.env, database.environment);
    const databaseUrl = database.environment.DATABASE_URL ?? "";
    cleanups.push(() => closeRuntime());
    const wallets = await makeWallets(WALLETS);
    const [oneWallet] = await makeWallets(1);
    if (!oneWallet) throw new Error("there is no wallet");
    await preparePgbench(databaseUrl);

    const plain = prismaVersion(databaseUrl, POOL_SIZE);
    cleanups.push(plain.close);
    const registering = (name: string, register: Register, of: typeof wallets, clients: number) =>
      closedLoop(`${name}, ${clients} clients`, clients, (client) => register(of[client % of.length] ?? oneWallet));
    const tpcB = (clients: number): Contender => ({
      name: `pgbench TPC-B, ${clients} clients`,
      measure: (seconds) => measurePgbench(databaseUrl, clients, seconds),
    });
    const ours = ourVersion();
    const slowProvider = ourVersion({ providerMs: PROVIDER_MS });
    const measured = await measureInTurn(
      [
        tpcB(16),
        registering("ours, many wallets", ours, wallets, 16),
        registering("plain Prisma, many wallets", plain.register, wallets, 16),
        tpcB(32),
        registering("ours, many wallets", ours, wallets, 32),
        registering("ours, one wallet", ours, [oneWallet], 32),
        registering(`provider of ${PROVIDER_MS} ms, many wallets`, slowProvider, wallets, 64),
        registering(`provider of ${PROVIDER_MS} ms, one wallet`, slowProvider, [oneWallet], 64),
        closedLoop("ours, one client", 1, () => ours(oneWallet)),
      ],
      log,
      () => analyze(databaseUrl),
    );
    return report(measured, await checkBooks(databaseUrl, oneWallet.resellerId));
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

/**
 * As autovacuum does within a minute, and pgbench for its own tables: until then PostgreSQL's checks of foreign keys read
 * all rows of a reseller, because every index looks alike to the planner.
 */
async function analyze(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("vacuum analyze").finally(() => client.end());
}

/**
 * @throws Error unless every wallet is the sum of its entries, and the shared wallet has paid for each of its licenses.
 */
async function checkBooks(databaseUrl: string, resellerId: number): Promise<string[]> {
  const { differences, walletCount } = await compareWallets(getRuntime().db);
  if (differences.length > 0) throw new Error(`${differences.length} wallets differ from their entries.`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ licenses: number; paid: number; open: number }>(
      `select (select count(*)::int from licenses where reseller_id = $1 and provisioned_at is not null) as licenses,
              (select count(*)::int from ledger_entries e join wallets w on w.reseller_id = e.reseller_id
                where w.reseller_id = $1 and e.kind = 'charge') as paid,
              (select count(*)::int from operations where reseller_id = $1 and state <> 'succeeded') as open`,
      [resellerId],
    );
    const { licenses = 0, paid = -1, open = -1 } = rows[0] ?? {};
    if (licenses !== paid || open !== 0) throw new Error(`${licenses} licenses, ${paid} charges, ${open} still open.`);
    return [
      `All ${walletCount} wallets equal the sum of their entries and holds.`,
      `The one wallet has paid for each of its ${licenses} licenses, once.`,
    ];
  } finally {
    await client.end();
  }
}

type Nine = readonly [Measured, Measured, Measured, Measured, Measured, Measured, Measured, Measured, Measured];

function report(measured: Nine, checks: readonly string[]): RowReport {
  const [tpcB16, many16, prisma, tpcB32, many32, one32, slowMany, slowOne] = measured;
  const atLeast = (limit: number) => ({ comparison: "at least", limit }) as const;
  return {
    row: "register",
    setting: `embedded PostgreSQL, durable; ${WALLETS} wallets or one, pool of ${POOL_SIZE}, ${roundsText}`,
    budgets: [
      compare("ours ÷ pgbench TPC-B, 16 clients", [many16, tpcB16], atLeast(0.35)),
      compare("ours ÷ pgbench TPC-B, 32 clients", [many32, tpcB32], atLeast(0.4)),
      compare("ours ÷ plain Prisma, 16 clients", [many16, prisma], atLeast(10)),
      compare("one wallet ÷ many, 32 clients", [one32, many32], atLeast(1)),
      compare(`one wallet ÷ many, provider of ${PROVIDER_MS} ms`, [slowOne, slowMany], atLeast(0.95)),
    ],
    contenders: measured.map(summarize),
    checks,
  };
}
