/** Operations of one turn of the event loop are held by one statement and settled by one. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "#lib/db/connection/client.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setResellerSuspended } from "#lib/services/reseller/settings.ts";
import { sql } from "#tests/sql.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { createTestProcess } from "#tests/support/process.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";

let world: World;
let otherDb: Database;
beforeAll(async () => {
  world = await newWorld({ poolSize: 16 });
  otherDb = openDatabase({ url: world.url, poolSize: 16, applicationName: "license-desk tests" });
});
afterAll(async () => {
  await otherDb.close();
  await world.close();
});

/** Contexts that wait before their hold until `count` of them have reached it, and then hold in the order of their places. */
function holdingTogether(count: number) {
  const turns = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const held: number[] = [];
  let arrived = 0;
  const releaseAll = () => {
    for (const { resolve } of turns) resolve();
  };
  const query: Database["query"] = async (statement, values) => {
    if (statement.name === "hold_operations") held.push(JSON.parse(String(values[0])).length);
    return world.db.query(statement, values);
  };
  const db = { ...world.db, query };
  const inPlace = (ctx: ServiceContext, place: number): ServiceContext => ({
    ...ctx,
    db,
    leases: {
      ...ctx.leases,
      async begin(reclaim) {
        arrived += 1;
        if (arrived === count) setImmediate(releaseAll);
        await turns[place]?.promise;
        return ctx.leases.begin(reclaim);
      },
    },
  });
  return { inPlace, held };
}

const outcomeOf = (result: PromiseSettledResult<unknown>): string => {
  if (result.status === "fulfilled") return "done";
  return isDomainError(result.reason) ? result.reason.code : String(result.reason);
};

/** A context of another process. */
const elsewhere = (ctx: ServiceContext): ServiceContext => ({
  ...ctx,
  db: otherDb,
  leases: createTestProcess(otherDb).leases,
});

const countDeadlocks = async () => {
  await world.db.query(sql("select pg_stat_force_next_flush()"), []);
  const [row] = await world.db.query(
    sql<{ deadlocks: number }>(
      "select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()",
    ),
    [],
  );
  return row?.deadlocks;
};

test("each is admitted or refused on its own, by what the wallet has left in the order of arrival", async () => {
  const poor = await world.reseller({ funds: "30.00" });
  const rich = await world.reseller();
  const suspended = await world.reseller();
  const taken = world.freshIp();
  const twice = world.freshIp();
  await rich.register({ ip: taken });
  await setResellerSuspended(world.operator, { resellerId: suspended.id, suspended: true, reason: "Unpaid" });
  const requests: readonly [ResellerWorld, LicenseAddress, string][] = [
    [poor, world.freshIp(), "done"],
    [rich, taken, "registration_address_taken"],
    [poor, world.freshIp(), "done"],
    [suspended, world.freshIp(), "reseller_suspended"],
    [rich, twice, "done"],
    [poor, world.freshIp(), "insufficient_balance"],
    [rich, twice, "registration_address_taken"],
    [rich, world.freshIp(), "done"],
  ];
  const { inPlace, held } = holdingTogether(requests.length);
  const offers = await Promise.all(requests.map(([reseller]) => world.offer(reseller.id, "control_panel")));
  const results = await Promise.allSettled(
    requests.map(async ([reseller, ipAddress], place) => {
      const offer = offers[place];
      if (!offer) throw new Error("no offer");
      return registerLicense(inPlace(reseller.context(), place), { ...offer, ipAddress });
    }),
  );
  expect({ held, outcomes: results.map(outcomeOf) }).toEqual({
    held: [requests.length],
    outcomes: requests.map(([, , outcome]) => outcome),
  });
  expect(await poor.entries()).toEqual([3_000n, -1_450n, -1_450n]);
  expect(await rich.entries()).toHaveLength(4);
  await expectBooksToAgree(world.db);
});

test("two processes that want the same addresses, wallets and licenses in any order never wait in a circle", async () => {
  const resellers = await Promise.all([1, 2, 3].map(() => world.reseller({ funds: "9000" })));
  const licenses = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const reseller = resellers[index % 3] as ResellerWorld;
      return { reseller, licenseId: (await reseller.register()).licenseId };
    }),
  );
  const registerAt = async (
    inProcess: (ctx: ServiceContext) => ServiceContext,
    reseller: ResellerWorld,
    ip: LicenseAddress,
  ) =>
    registerLicense(inProcess(reseller.context()), {
      ...(await world.offer(reseller.id, "control_panel")),
      ipAddress: ip,
    });
  const before = await countDeadlocks();
  const outcomes = new Set<string>();
  for (let round = 0; round < 8; round++) {
    const addresses = licenses.map(() => world.freshIp());
    const all = (inProcess: (ctx: ServiceContext) => ServiceContext, order: <T>(list: readonly T[]) => T[]) =>
      order(licenses.map((license, index) => ({ ...license, ip: addresses[index] as LicenseAddress }))).flatMap(
        ({ reseller, licenseId, ip }, index) => [
          renewLicense(inProcess(reseller.context()), { licenseId }),
          registerAt(inProcess, resellers[(index + round) % 3] as ResellerWorld, ip),
        ],
      );
    const results = await Promise.allSettled([
      ...all(
        (ctx) => ctx,
        (list) => [...list],
      ),
      ...all(elsewhere, (list) => list.toReversed()),
    ]);
    for (const result of results) outcomes.add(outcomeOf(result));
  }
  expect([...outcomes].toSorted()).toEqual(["done", "operation_in_progress", "registration_address_taken"]);
  expect(await countDeadlocks()).toBe(before);
  await expectBooksToAgree(world.db);
}, 60_000);
