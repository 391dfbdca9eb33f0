/** All resellers' settlements wait for one change of cores, whose license may have been renewed far ahead. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { changeLicenseCores } from "./change-core.ts";
import { renewLicense } from "./renew.ts";

const FEW = 30;
const MANY = 120;

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  // One connection, so that its statistics are complete.
  world = await newWorld({ poolSize: 1 });
  reseller = await world.reseller({ funds: "100000" });
  // Small tables are read as large ones are.
  await world.db.query(sql("set enable_seqscan = off"), []);
  // While a table is empty, any of its indexes looks as good.
  await measure(FEW);
}, 120_000);
afterAll(() => world.close());

/** Index entries of terms, lots and credits that were read so far. */
async function entriesRead(): Promise<number> {
  await world.db.query(sql("select pg_stat_force_next_flush()"), []);
  const text = `select sum(idx_tup_read)::int as read from pg_stat_user_indexes
                 where relname in ('paid_terms', 'core_lots', 'core_credits')`;
  const [row] = await world.db.query(sql<{ read: number }>(text), []);
  return row?.read ?? 0;
}

async function readsOf(change: () => Promise<unknown>): Promise<number> {
  world.advance(1_000);
  const before = await entriesRead();
  await change();
  return (await entriesRead()) - before;
}

/** Reads of a license with so many terms ahead, after so many cores were added and removed. */
async function measure(terms: number, changes = 0) {
  const { licenseId } = await reseller.register({ type: "web_server" });
  const renew = () => renewLicense(reseller.context(), { licenseId });
  const change = (cores: number) => changeLicenseCores(reseller.context(), { licenseId, cores });
  for (let term = 2; term <= terms; term++) await renew();
  for (let done = 0; done < changes; done++) {
    await change(2);
    await change(1);
  }
  // Plans are made for these tables, and index entries of replaced rows do not count as read.
  await world.db.query(sql("vacuum analyze paid_terms, core_lots, core_credits"), []);
  return {
    add: await readsOf(() => change(4)),
    remove: await readsOf(() => change(2)),
    removeAll: await readsOf(() => change(1)),
  };
}

test("adding and removing cores reads rows in proportion to the terms ahead", async () => {
  const [few, many] = [await measure(FEW), await measure(MANY)];
  for (const change of ["add", "remove", "removeAll"] as const) {
    expect(many[change] / few[change], change).toBeLessThan((1.25 * MANY) / FEW);
  }
}, 120_000);

test("cores that were added and removed before are not read again", async () => {
  const [fresh, changed] = [await measure(FEW), await measure(FEW, 10)];
  for (const change of ["add", "remove", "removeAll"] as const) {
    expect(changed[change] / fresh[change], change).toBeLessThan(1.25);
  }
}, 120_000);
