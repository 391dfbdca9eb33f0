import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

/** Rows that keep a license or a bundle instance from being deleted, and why a pending one has none of them. */
const restricting: Readonly<Record<string, string>> = {
  "api_keys → licenses": "a key is bound to a confirmed license only",
  "core_lots → licenses": "bought for a confirmed license only",
  "licenses → bundle_instances": "the members are deleted first",
  "paid_terms → licenses": "written when the registration succeeds",
};

test("a rejected registration can always delete what was pending: every reference to it goes along, or is listed here", async () => {
  const text = `select conrelid::regclass || ' → ' || confrelid::regclass as reference from pg_constraint
                 where contype = 'f' and confrelid in ('licenses'::regclass, 'bundle_instances'::regclass) and confdeltype <> 'c'
                   and conparentid = 0`;
  const rows = await world.db.query(sql<{ reference: string }>(text), []);
  expect(rows.map(({ reference }) => reference).toSorted()).toEqual(Object.keys(restricting).toSorted());
});
