import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { partitionedTables } from "#lib/domain/partitions.ts";
import { keptMs } from "#lib/domain/retention.ts";
import { verifyLicense } from "#lib/services/license/verify.ts";
import { readChecks } from "#lib/services/system/get.ts";
import { sql } from "#tests/sql.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { maintainPartitions } from "./maintain-partitions.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const nothing = { created: [], dropped: [], postponed: [] };

let world: World;
let reseller: ResellerWorld;
beforeEach(async () => {
  world = await newWorld();
  reseller = await world.reseller();
});
afterEach(() => world.close());

const maintain = () => maintainPartitions(world.operator);
const run = <Row>(text: string, values: unknown[] = []) => world.db.query(sql<Row>(text), values);

function verifiedAt(times: readonly Date[]) {
  const text = `insert into verifications (reseller_id, seen_ip, code, checked_at)
                select $1, '', '', t from unnest($2::timestamptz[]) t`;
  return run(text, [reseller.id, times]);
}
/** Partition and time of each verification. */
const present = () =>
  run<{ partition: string; at: Date }>(
    "select tableoid::regclass::text as partition, checked_at as at from verifications order by checked_at",
  );
const strayCount = async () => (await present()).filter(({ partition }) => partition.endsWith("_default")).length;
const partitionsCheck = async () => (await readChecks(world.operator)).find(({ name }) => name === "partitions");

/** Runs `use` while another session has executed a statement and not committed it. */
async function during<Result>(statement: string, use: () => Promise<Result>): Promise<Result> {
  const other = new pg.Client({ connectionString: world.url });
  await other.connect();
  await other.query("begin");
  await other.query(statement);
  return use().finally(() => other.end());
}
/** Maintains partitions, and repeats `act` meanwhile. */
async function maintainBeside(act: () => Promise<unknown>) {
  let maintaining = true;
  const maintained = maintain().finally(() => {
    maintaining = false;
  });
  let slowestMs = 0;
  let count = 0;
  while (maintaining) {
    const startedMs = performance.now();
    await act();
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
    count += 1;
  }
  return { ...(await maintained), slowestMs, count };
}
const ofVerifications = (names: readonly string[]) => names.filter((name) => name.startsWith("verifications"));

test("verifications are dropped by the week, once the whole week is older than 90 days, and never earlier", async () => {
  const start = world.now().getTime() - keptMs("verifications");
  const monday = Date.parse("2026-12-07T00:00:00Z");
  const borders = [-2, -1, 0, 1, 2, 3].flatMap((week) => [-1, 0, 1].map((ms) => monday + week * WEEK_MS + ms));
  const spread = Array.from({ length: 200 }, (_, n) => start + (n - 100) * 5 * HOUR_MS + n);
  await verifiedAt([...borders, ...spread].map((ms) => new Date(ms)));
  for (let hours = 0; hours < 24 * 16; hours += 37) {
    await maintain();
    const keptSince = world.now().getTime() - keptMs("verifications");
    const weekStart = keptSince - ((keptSince - monday + 100 * WEEK_MS) % WEEK_MS);
    const expected = [...borders, ...spread].filter((ms) => ms >= weekStart).toSorted((a, b) => a - b);
    const found = await present();
    expect(found.map(({ at }) => at.getTime())).toEqual(expected);
    expect(found.filter(({ partition }) => partition.endsWith("_default"))).toEqual([]);
    world.advance(37 * HOUR_MS);
  }
});

test("rows of the request log are dropped by the week after 14 days", async () => {
  const { id } = await world.db.prisma.apiKey.create({
    data: { resellerId: reseller.id, name: "k", secretHash: new Uint8Array(32), hint: "", scopes: ["wallet:read"] },
  });
  const times = ["2027-02-21T23:59:59.999Z", "2027-02-22T00:00:00Z", "2027-03-10T12:00:00Z"];
  await run(
    `insert into api_requests (api_key_id, started_at, method, operation, status, total_duration_us, max_duration_us, request_id)
     select $1, t, 'GET', 'balance', 200, 1, 1, 'x' from unnest($2::timestamptz[]) t`,
    [id, times],
  );
  await maintain();
  expect(await world.db.prisma.apiRequest.count()).toBe(2);
  world.setClock("2027-03-14T23:59:59Z");
  await maintain();
  expect(await world.db.prisma.apiRequest.count()).toBe(2);
  world.setClock("2027-03-15T00:00:00Z");
  await maintain();
  expect(await world.db.prisma.apiRequest.count()).toBe(1);
});

test("docs/operating/retention.md has the days of each partitioned table", () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "..", "docs", "operating", "retention.md"), "utf8");
  const rows = [...page.matchAll(/^\| .+ \| (\d+ days \| \d+ to \d+ days) \|$/gm)].map(([, days]) => days);
  const kept = partitionedTables.map((table) => table.keptMs / (24 * HOUR_MS));
  expect(rows).toEqual(kept.toSorted((a, b) => a - b).map((days) => `${days} days | ${days} to ${days + 7} days`));
});

test("partitions exist two weeks ahead, and a second run has nothing to do", async () => {
  expect(await maintain()).toEqual(nothing);
  world.advance(WEEK_MS);
  expect(await maintain()).toEqual({
    ...nothing,
    created: ["verifications from 2027-03-29", "api_requests from 2027-03-29"],
  });
  expect(await maintain()).toEqual(nothing);
  expect(await partitionsCheck()).toMatchObject({ status: "ok" });
});

test("after months without maintenance rows are accepted and reported, and then get their partitions", async () => {
  world.advance(26 * WEEK_MS);
  expect(await partitionsCheck()).toMatchObject({
    status: "problem",
    detail: "Table verifications has no partition for new rows",
  });
  const ago = (ms: number) => new Date(world.now().getTime() - ms);
  await verifiedAt([ago(22 * WEEK_MS), ago(10 * WEEK_MS), ago(1), ago(0), ago(-HOUR_MS)]);
  expect(await strayCount()).toBe(5);
  const { created, dropped } = await maintain();
  expect(created).toContain("verifications from 2027-09-06");
  expect(dropped).toContain("verifications_20270315");
  expect(await strayCount()).toBe(0);
  expect(await present()).toHaveLength(4);
  expect(await partitionsCheck()).toMatchObject({ status: "ok" });
});

test("rows dated far ahead stay in the default partition, and are reported, until their week comes", async () => {
  await verifiedAt([new Date(world.now().getTime() + 10 * WEEK_MS)]);
  expect((await maintain()).created).toEqual([]);
  expect(await partitionsCheck()).toMatchObject({
    status: "problem",
    detail: "Table verifications has rows without a partition of their own",
  });
  world.advance(9 * WEEK_MS);
  await maintain();
  expect(await strayCount()).toBe(0);
  expect(await present()).toHaveLength(1);
  expect(await partitionsCheck()).toMatchObject({ status: "ok" });
});

test("several processes that maintain them at once create each partition once, and lose no row", async () => {
  world.advance(20 * WEEK_MS);
  const times = Array.from({ length: 50 }, (_, n) => new Date(world.now().getTime() - n * 36 * HOUR_MS));
  await verifiedAt(times);
  await Promise.all([maintain(), maintain(), maintain()]);
  await maintain();
  expect(await maintain()).toEqual(nothing);
  expect(await present()).toHaveLength(times.length);
  expect(await strayCount()).toBe(0);
});

test("a session that reads a table postpones its maintenance, which meanwhile blocks neither reads nor writes for long", async () => {
  await verifiedAt([new Date(world.now().getTime() - 20 * WEEK_MS)]);
  await maintain();
  world.advance(30 * WEEK_MS);
  await during("select from verifications limit 1", async () => {
    const { created, dropped, postponed, slowestMs } = await maintainBeside(async () => {
      await verifiedAt([world.now()]);
      await present();
    });
    expect([...ofVerifications(created), ...ofVerifications(dropped)]).toEqual([]);
    expect(ofVerifications(postponed).length).toBeGreaterThan(2);
    // Each of the two statements can wait behind one lock request, which ends after 500 ms.
    expect(slowestMs).toBeLessThan(2_000);
  });
  const { created, dropped } = await maintain();
  expect(created.length).toBeGreaterThan(2);
  expect(dropped.length).toBeGreaterThan(0);
  expect(await strayCount()).toBe(0);
});

test("a session that changes API keys postpones new partitions of their log, and verifications are answered meanwhile", async () => {
  const license = await reseller.register();
  world.advance(20 * WEEK_MS);
  await during(`update api_keys set name = name where reseller_id = ${reseller.id}`, async () => {
    const verify = () => verifyLicense(reseller.context(), { licenseKey: license.licenseKey, ipAddress: "192.0.2.1" });
    const { postponed, count } = await maintainBeside(verify);
    expect(postponed.length).toBeGreaterThan(2);
    expect(ofVerifications(postponed)).toEqual([]);
    // If they waited behind a lock request, there would be one or two for each of these.
    expect(count).toBeGreaterThan(postponed.length * 5);
  });
});
