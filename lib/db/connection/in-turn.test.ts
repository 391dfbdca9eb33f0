import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Turns } from "#lib/domain/turns.ts";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { batchPerDatabase } from "./batch.ts";
import type { Database } from "./client.ts";
import { createConnectionTurns, inTurn } from "./in-turn.ts";
import { createPendingWrites } from "./transaction.ts";

const POOL = 10;
let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

/** Counts its statements under way, all of which take equally long: a real connection may take long to open. */
function watched(): { db: Database; most: () => number } {
  let underWay = 0;
  let most = 0;
  const query: Database["query"] = async () => {
    most = Math.max(most, ++underWay);
    await sleep(5);
    underWay--;
    return [];
  };
  const db: Database = { ...world.db, query, reads: async () => db };
  return { db, most: () => most };
}
const one = sql("select 1");
const refused = vi.fn();

test("a reseller has at most half of the connections, over all of its requests, and others are answered meanwhile", async () => {
  const { db, most } = watched();
  const turns = createConnectionTurns(POOL, refused);
  const ended: string[] = [];
  const ask = async (owner: number, on: "primary" | "reads") => {
    const own = inTurn(db, turns, owner);
    await (on === "reads" ? await own.reads() : own).query(one, []);
    ended.push(`${owner} ${on}`);
  };
  const greedy = Array.from({ length: 60 }, (_, index) => ask(1, index % 2 ? "reads" : "primary"));
  await Promise.all([...greedy, ask(2, "primary"), ask(2, "reads")]);
  expect(most()).toBe(4 + 2);
  expect(Math.max(ended.indexOf("2 primary"), ended.indexOf("2 reads"))).toBeLessThan(POOL);
});

test("statements that keep a reseller's connections to the replica busy leave it its connections to the primary", async () => {
  const turns = createConnectionTurns(POOL, refused);
  const ended: string[] = [];
  const slow: Database["query"] = async (...args) => {
    await sleep(200);
    return world.db.query(...args);
  };
  const db: Database = { ...world.db, reads: async () => ({ ...world.db, query: slow }) };
  const reads = Array.from({ length: 8 }, async () => {
    await (await inTurn(db, turns, 1).reads()).query(one, []);
    ended.push("read");
  });
  await inTurn(db, turns, 1).query(one, []);
  ended.push("write");
  await Promise.all(reads);
  expect(ended[0]).toBe("write");
});

test("any number of resellers leave one connection to the process's own statements", async () => {
  const { db, most } = watched();
  const turns = createConnectionTurns(POOL, refused);
  await Promise.all(Array.from({ length: 60 }, (_, owner) => inTurn(db, turns, owner).query(one, [])));
  expect(most()).toBe(POOL - 1);
});

test("more transactions of a reseller than it has connections, each with statements beside it, all end", async () => {
  const turns = createConnectionTurns(POOL, refused);
  const write = async (index: number) => {
    const db = inTurn(world.db, turns, 1);
    const transaction = await db.begin();
    await transaction.query(one, []);
    await db.query(one, []);
    await (index % 2 ? transaction.commit() : transaction.rollback());
    await transaction.rollback();
    await db.query(one, []);
  };
  await Promise.all(Array.from({ length: 40 }, (_, index) => write(index)));
});

test("a transaction keeps its turn until it ends, also one that fails, and then others have it", async () => {
  const primary = new Turns({ slots: 1, slotsOfOne: 1, patienceMs: 100 });
  const turns = { primary, replica: primary, refused };
  const open = await inTurn(world.db, turns, 1).begin();
  await expect(inTurn(world.db, turns, 2).query(one, [])).rejects.toMatchObject({ code: "unavailable" });
  // A page then says 503, as in an outage.
  expect(refused).toHaveBeenCalledOnce();
  await expect(inTurn(world.db, turns, 2).begin()).rejects.toMatchObject({ code: "unavailable" });
  await expect(open.query(sql("select 1 / 0"), [])).rejects.toThrow();
  await expect(open.commit()).rejects.toThrow();
  expect(await inTurn(world.db, turns, 2).query(one, [])).toHaveLength(1);
  const away: Database = { ...world.db, begin: () => Promise.reject(new Error("away")) };
  await expect(inTurn(away, turns, 1).begin()).rejects.toThrow("away");
  expect(await inTurn(world.db, turns, 2).query(one, [])).toHaveLength(1);
});

test("questions of several resellers share one call", async () => {
  const turns = createConnectionTurns(POOL, refused);
  const calls: (readonly number[])[] = [];
  const ask = batchPerDatabase(async (db: Database, questions: readonly number[]) => {
    expect(db).toBe(world.db);
    calls.push(questions);
    return questions;
  });
  await Promise.all([1, 2, 3].map((owner) => ask(inTurn(world.db, turns, owner), owner)));
  expect(calls).toEqual([[1, 2, 3]]);
});

test("a request with a key shares calls with others until it writes, and then asks within its transaction", async () => {
  const pending = createPendingWrites(inTurn(world.db, createConnectionTurns(POOL, refused), 1));
  const asked: Database[] = [];
  const ask = batchPerDatabase(async (db: Database, questions: readonly number[]) => {
    asked.push(db);
    return questions;
  });
  await Promise.all([ask(pending.reads, 1), ask(world.db, 2)]);
  await pending.writes.query(one, []);
  await ask(pending.reads, 3);
  await pending.commit();
  await ask(pending.reads, 4);
  expect(asked).toEqual([world.db, pending.reads, world.db]);
});
