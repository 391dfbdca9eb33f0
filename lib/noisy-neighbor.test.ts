import { afterAll, beforeAll, expect, test } from "vitest";
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import type { Actor } from "#lib/services/context.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
  Object.assign(process.env, { DATABASE_URL: world.url, API_KEY_PEPPER: PEPPER, LOG_LEVEL: "silent" });
});
afterAll(async () => {
  await closeRuntime();
  await world.close();
});

const contextOf = (actor: Actor) => getRuntime().contextFor(actor, { requestId: "test" });

test.each(["user", "apiKey"] as const)(
  "a reseller whose %s sends any number of slow requests delays no other reseller, and no admin",
  async (kind) => {
    const [greedy, other] = [await world.reseller(), await world.reseller()];
    const ask = () => contextOf(actors[kind](greedy.id)).db.query(sql("select pg_sleep(0.25)"), []);
    let ended = 0;
    const slow = Array.from({ length: 120 }, () => ask().finally(() => ended++));
    await getBalance(contextOf(actors.apiKey(other.id)));
    await contextOf(actors.admin(null)).db.query(sql("select 1"), []);
    expect(ended, "requests before these two").toBeLessThan(20);
    expect((await Promise.allSettled(slow)).filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(20);
  },
);
