import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { runSql } from "#tests/support/database-contents.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await runSql(
    database.url,
    `insert into deployment (single, deployment_id, place, pepper_fingerprint, auth_fingerprint, encryption_fingerprint, resumed_at, timeline)
     values (true, gen_random_uuid(), '', '', '', '', now(), 0)`,
  );
});
afterAll(() => database.drop());

const SEQUENCES =
  "select sequencename as name, last_value::float8 as value, max_value::float8 as max from pg_sequences";

test("a restored database skips a million ids of every kind once, also where no row existed, and never runs out", async () => {
  await runSql(database.url, "select setval('licenses_id_seq', 2147483000)");
  const before = new Map((await runSql(database.url, SEQUENCES)).map(({ name, value }) => [name, value]));
  expect([...before.values()]).toContain(null);
  expect(await runSql(database.url, "select began from begin_timeline()")).toEqual([{ began: true }]);
  const after = await runSql(database.url, SEQUENCES);
  for (const { name, value, max } of after) {
    const last = Number(before.get(name) ?? 0);
    const expected = name === "licenses_id_seq" ? Math.floor((last + max) / 2) : last + 1_000_000;
    expect({ name, value }).toEqual({ name, value: expected });
  }
  expect(await runSql(database.url, "select began from begin_timeline()")).toEqual([{ began: false }]);
  expect(await runSql(database.url, SEQUENCES)).toEqual(after);
});

test.each([
  ["has run before", "update job_runs set next_at = now() + interval '1 hour'"],
  ["has never run", "delete from job_runs"],
])("a new timeline makes the comparison with the providers due, if it %s", async (_, prepare) => {
  await runSql(database.url, "update deployment set timeline = 0");
  await runSql(database.url, prepare);
  await runSql(database.url, "select began from begin_timeline()");
  const due = "select name from job_runs where next_at < clock_timestamp() + interval '1 second'";
  expect(await runSql(database.url, due)).toEqual([{ name: "detect_drift" }]);
});
