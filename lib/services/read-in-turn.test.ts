import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#lib/db/connection/client.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { streamLicenses } from "./license/list.ts";
import { streamStatement } from "./wallet/statement-csv.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

type Stream = (reseller: ResellerWorld, db: Database) => AsyncIterable<unknown>;
const streams: Record<string, Stream> = {
  "lists of licenses": (reseller, db) => streamLicenses({ ...reseller.context(), db }, {}, "newest"),
  statements: (reseller, db) => {
    const period = { from: new Date(0), to: new Date("2100-01-01") };
    return streamStatement({ ...world.context(actors.user(reseller.id)), db }, period);
  },
};

test.each(Object.entries(streams))(
  "a reseller's many %s leave connections to others, who take turns",
  async (_, open) => {
    const [greedy, other] = [await world.reseller(), await world.reseller()];
    await Promise.all([greedy.register(), other.register()]);
    // Opening a connection takes as long as many pages.
    await Promise.all(Array.from({ length: 3 }, () => world.db.query(sql("select pg_sleep(0.05)"), [])));
    let inFlight = 0;
    let most = 0;
    const query: Database["query"] = async (statement, values) => {
      if (!/limit/.test(statement.text)) return world.db.query(statement, values);
      most = Math.max(most, ++inFlight);
      await sleep(10);
      return world.db.query(statement, values).finally(() => inFlight--);
    };
    const db: Database = { ...world.db, query, reads: async () => ({ ...world.db, query }) as Database };
    const ended: ResellerWorld[] = [];
    const read = async (reseller: ResellerWorld) => {
      for await (const _page of open(reseller, db));
      ended.push(reseller);
    };
    await Promise.all([...Array(40).fill(greedy), other].map(read));
    expect(most).toBe(3);
    expect(ended.indexOf(other)).toBeLessThan(10);
  },
);
