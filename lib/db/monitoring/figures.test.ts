import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { readFigures } from "./figures.ts";

let world: World;

beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

/** The texts by which the queue creates its schema, in order. Its package exports them to nobody. */
function listQueueMigrations(): string[] {
  const require = createRequire(import.meta.url);
  const { migrations } = require(join(dirname(require.resolve("graphile-worker")), "generated", "sql.js"));
  const names = Object.keys(migrations).toSorted();
  return names.map((name) => migrations[name].replaceAll(":GRAPHILE_WORKER_SCHEMA", "graphile_worker"));
}

test("figures are read at each step of the creation of the queue, where a worker may have died", async () => {
  const migrations = listQueueMigrations();
  expect(migrations.length).toBeGreaterThan(10);
  await world.db.query(sql("create schema graphile_worker"), []);
  for (const migration of migrations) {
    expect((await readFigures(world.db)).queue).toEqual({ due: 0, age: 0 });
    await world.db.query(sql(migration), []);
  }
  await world.db.query(sql("select graphile_worker.add_job('renew')"), []);
  expect((await readFigures(world.db)).queue.due).toBe(1);
});
