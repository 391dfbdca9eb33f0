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
import { type ContenderReport, median, type RowReport, spread } from "./report.ts";

const CLIENTS = 16;
const ONE_WALLET_CLIENTS = 32;
const WALLETS = 64;
const ROUNDS = 5;
const ROUND_SECONDS = 3;
const WARM_UP_SECONDS = 2;

interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Contender {
  readonly name: string;
  readonly rounds: Round[];
  measure(seconds: number): Promise<Round>;
}

export async function runRegisterRow(log: (line: string) => void): Promise<RowReport> {
  const cleanups: (() => Promise<unknown>)[] = [];
  try {
    const database = await startBenchDatabase(ONE_WALLET_CLIENTS);
    cleanups.push(database.stop);
    Object.assign(process.env, database.environment);
    const databaseUrl = database.environment.DATABASE_URL ?? "";
    cleanups.push(() => closeRuntime());
    const wallets = await makeWallets(WALLETS);
    const [oneWallet] = await makeWallets(1);
    if (!oneWallet) throw new Error("there is no wallet");
    await preparePgbench(databaseUrl);

    const ours = ourVersion();
    const plain = prismaVersion(databaseUrl, ONE_WALLET_CLIENTS);
    cleanups.push(plain.close);
    const registering = (name: string, register: Register, of: typeof wallets, clients: number): Contender => ({
      name,
      rounds: [],
      measure: (seconds) => closedLoop(clients, seconds, (client) => register(of[client % of.length] ?? oneWallet)),
    });
    const contenders = [
      {
        name: `pgbench TPC-B, ${CLIENTS} clients`,
        rounds: [],
        measure: (seconds) => measurePgbench(databaseUrl, CLIENTS, seconds),
      },
      registering(`ours, ${WALLETS} wallets, ${CLIENTS} clients`, ours, wallets, CLIENTS),
      registering(`plain Prisma, ${CLIENTS} clients`, plain.register, wallets, CLIENTS),
      registering(`ours, ${WALLETS} wallets, ${ONE_WALLET_CLIENTS} clients`, ours, wallets, ONE_WALLET_CLIENTS),
      registering(`ours, one wallet, ${ONE_WALLET_CLIENTS} clients`, ours, [oneWallet], ONE_WALLET_CLIENTS),
    ] satisfies Contender[];
    for (let round = 0; round <= ROUNDS; round++) {
      log(round === 0 ? "Warming up." : `Round ${round} of ${ROUNDS}.`);
      for (const contender of contenders) {
        const measured = await contender.measure(round === 0 ? WARM_UP_SECONDS : ROUND_SECONDS);
        if (round > 0) contender.rounds.push(measured);
      }
    }
    return report(contenders, await checkBooks(databaseUrl, oneWallet.resellerId));
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

/** Each client waits for a response before its next request. */
async function closedLoop(clients: number, seconds: number, ask: (client: number) => Promise<unknown>): Promise<Round> {
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const timesMs: number[] = [];
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let askedAt = performance.now(); askedAt < until; askedAt = performance.now()) {
        await ask(client);
        timesMs.push(performance.now() - askedAt);
      }
    }),
  );
  const sorted = timesMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { perSecond: timesMs.length / ((performance.now() - startedAt) / 1000), p50Ms: at(0.5), p99Ms: at(0.99) };
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

function report(contenders: readonly Contender[], checks: readonly string[]): RowReport {
  const [tpcB, many, prisma, manyAt32, one] = contenders as [Contender, Contender, Contender, Contender, Contender];
  const ratio = (a: Contender, b: Contender) =>
    median(a.rounds.map((round, index) => round.perSecond / (b.rounds[index]?.perSecond ?? Number.NaN)));
  return {
    row: "register",
    setting: `embedded PostgreSQL, durable; pool of ${ONE_WALLET_CLIENTS}, ${ROUNDS} rounds of ${ROUND_SECONDS} s in turn`,
    budgets: [
      { name: "ours ÷ pgbench TPC-B", ratio: ratio(many, tpcB), limit: 0.25, comparison: "at least" },
      { name: "ours ÷ plain Prisma transaction", ratio: ratio(many, prisma), limit: 3, comparison: "at least" },
      { name: "one wallet ÷ many, 32 clients", ratio: ratio(one, manyAt32), limit: 0.7, comparison: "at least" },
    ],
    contenders: contenders.map(summarize),
    checks,
  };
}

function summarize({ name, rounds }: Contender): ContenderReport {
  const perSecond = rounds.map((round) => round.perSecond);
  return {
    name,
    requestsPerSecond: median(perSecond),
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    spread: spread(perSecond),
  };
}
