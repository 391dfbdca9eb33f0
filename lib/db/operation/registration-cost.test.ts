/** The cost of a registration does not grow with existing rows, alive or dead. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";

/** Enough for the final plans. */
const REGISTRATIONS = 20;
const OTHERS_END_WITHIN_MS = 60_000;

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  // One connection, so that its statistics are complete.
  world = await newWorld({ poolSize: 1 });
  reseller = await world.reseller();
});
afterAll(() => world.close());

interface TableCounts {
  readonly readWhole: number;
  readonly inserted: number;
  readonly updated: number;
}

async function counts(): Promise<Record<string, TableCounts>> {
  await world.db.query(sql("select pg_stat_force_next_flush()"), []);
  const rows = await world.db.query(
    sql<
      TableCounts & { table: string }
    >(`select relname as table, seq_scan::int as "readWhole", n_tup_ins::int as inserted, n_tup_upd::int as updated
             from pg_stat_user_tables where relname = any ($1)`),
    [["licenses", "operations", "address_claims", "events", "ledger_entries", "paid_terms", "core_lots"]],
  );
  return Object.fromEntries(rows.map(({ table, ...row }) => [table, row]));
}

test("a registration scans no table, and writes the license's row twice and the operation's three times", async () => {
  for (let index = 0; index < REGISTRATIONS; index++) await reseller.register();
  const before = await counts();
  for (let index = 0; index < REGISTRATIONS; index++) await reseller.register();
  const after = await counts();
  const perRegistration = Object.entries(after).map(([table, { readWhole, inserted, updated }]) => {
    const since = before[table] ?? { readWhole: 0, inserted: 0, updated: 0 };
    const written = (inserted - since.inserted + updated - since.updated) / REGISTRATIONS;
    return [table, { readWhole: readWhole - since.readWhole, written }];
  });
  expect(Object.fromEntries(perRegistration)).toEqual({
    licenses: { readWhole: 0, written: 2 },
    operations: { readWhole: 0, written: 3 },
    address_claims: { readWhole: 0, written: 1 },
    events: { readWhole: 0, written: 1 },
    ledger_entries: { readWhole: 0, written: 1 },
    // Only for core-metered licenses.
    paid_terms: { readWhole: 0, written: 0 },
    core_lots: { readWhole: 0, written: 0 },
  });
});

/** Updates that wrote no index entry, of all. They need room on the row's page, so a few write entries nevertheless. */
async function updatesWithoutIndexEntries(): Promise<ReadonlyMap<string, { free: number; all: number }>> {
  await world.db.query(sql("select pg_stat_force_next_flush()"), []);
  const text = `select relname as table, n_tup_hot_upd::int as free, n_tup_upd::int as all
                  from pg_stat_user_tables where relname in ('licenses', 'operations')`;
  const rows = await world.db.query(sql<{ table: string; free: number; all: number }>(text), []);
  return new Map(rows.map(({ table, ...counts }) => [table, counts]));
}

test("confirming a license and marking its operation as sent write no index entries", async () => {
  const before = await updatesWithoutIndexEntries();
  for (let index = 0; index < REGISTRATIONS; index++) await reseller.register();
  const after = await updatesWithoutIndexEntries();
  const share = (table: string) => {
    const [from, to] = [before.get(table), after.get(table)];
    return ((to?.free ?? 0) - (from?.free ?? 0)) / ((to?.all ?? 0) - (from?.all ?? 0));
  };
  expect(share("licenses")).toBeGreaterThan(0.8);
  // The settlement, the other half of its updates, removes it from the index of open operations.
  expect(share("operations")).toBeGreaterThan(0.4);
});

test("what happens to an operation is written to the log without its plan", async () => {
  const { operation } = await reseller.register();
  const text = `explain (analyze, wal, format json)
                update operations set state = case state when 'sent' then 'unknown' else 'sent' end::operation_state,
                                      settled_at = null, attempt = attempt + 1, sent_at = now(), owner_id = lease_token
                 where id = '${operation.id}'`;
  const logged: number[] = [];
  // The plan is written, too, where the row moves to another page: one that has room for the next versions.
  for (let change = 0; change < 5; change++) {
    const [row] = await world.db.query(sql<{ "QUERY PLAN": [{ Plan: { "WAL Bytes": number } }] }>(text), []);
    logged.push(row?.["QUERY PLAN"][0].Plan["WAL Bytes"] ?? 0);
  }
  expect(Math.min(...logged)).toBeGreaterThan(0);
  expect(Math.min(...logged)).toBeLessThan(JSON.stringify(operation.plan).length);
});

test("a registration does not look for bundles", async () => {
  const lookUps = async () => {
    await world.db.query(sql("select pg_stat_force_next_flush()"), []);
    const text =
      "select (seq_scan + idx_scan)::int as count from pg_stat_user_tables where relname = 'bundle_instances'";
    const [row] = await world.db.query(sql<{ count: number }>(text), []);
    return row?.count;
  };
  await reseller.register();
  const before = await lookUps();
  await reseller.register();
  expect(await lookUps()).toBe(before);
});

/** Index entries read of each index, in the order of their names. */
async function entriesRead(): Promise<ReadonlyMap<string, number>> {
  await world.db.query(sql("select pg_stat_force_next_flush()"), []);
  const text = `select indexrelname as index, idx_tup_read::int as read from pg_stat_user_indexes
                 where relname = any ($1) order by 1`;
  const tables = [
    "licenses",
    "operations",
    "address_claims",
    "events",
    "ledger_entries",
    "wallets",
    "bundle_instances",
  ];
  const rows = await world.db.query(sql<{ index: string; read: number }>(text), [tables]);
  return new Map(rows.map(({ index, read }) => [index, read]));
}

/** Ten registrations at once: index entries read, without indexes that none was read of. */
async function readByTenAtOnce(): Promise<Record<string, number>> {
  const before = await entriesRead();
  const together = await Promise.allSettled(Array.from({ length: 10 }, () => reseller.register()));
  expect(together.map(({ status }) => status)).toEqual(together.map(() => "fulfilled"));
  const after = [...(await entriesRead())].map(([index, read]) => [index, read - (before.get(index) ?? 0)] as const);
  return Object.fromEntries(after.filter(([, read]) => read > 0));
}

test("registrations at once read no more index entries after hundreds of others, whose dead rows remain", async () => {
  reseller = await world.reseller({ funds: "100000" });
  const change = (text: string) => world.db.query(sql(text), []);
  for (const table of ["operations", "licenses", "address_claims"]) {
    await change(`alter table ${table} set (autovacuum_enabled = off)`);
  }
  for (let index = 0; index < REGISTRATIONS; index++) await reseller.register();
  await change("analyze");
  const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0);
  // A busy machine divides the ten into more lists, which read more: the fewest of several count. And while a transaction
  // of another test is open, also in another database, nothing dead is removed: until it has ended.
  const fewest = async (enough = Number.POSITIVE_INFINITY, until = Date.now() + OTHERS_END_WITHIN_MS) => {
    // The one wallet has dead entries, too, as many as since its last vacuum.
    await change("vacuum wallets");
    let least = await readByTenAtOnce();
    for (let again = 1; again < 10 || (total(least) > enough && Date.now() < until); again++) {
      if (again > 50) await sleep(1_000);
      const read = await readByTenAtOnce();
      if (total(read) < total(least)) least = read;
    }
    return least;
  };
  for (let index = 0; index < 10; index++) await readByTenAtOnce();
  const early = await fewest();
  for (let index = 0; index < 30; index++) await readByTenAtOnce();
  const enough = total(early) * 1.2;
  const late = await fewest(enough);
  expect(late.operations_open ?? 0).toBe(0);
  expect(total(late), JSON.stringify({ early, late })).toBeLessThanOrEqual(enough);
}, 120_000);
