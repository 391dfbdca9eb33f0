import { afterAll, beforeAll, expect, test } from "vitest";
import { maintainPartitions } from "#lib/services/retention/maintain-partitions.ts";
import { sql } from "#tests/sql.ts";
import { storeJobRun } from "#tests/support/job.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getSystem } from "./get.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld({ start: new Date() });
  await maintainPartitions(world.operator);
});
afterAll(() => world.close());

test("the system names its processes, migrations, tables and the last backup", async () => {
  await world.db.query(
    sql(`insert into processes (id, host, pid, job_workers, started_at, lease_until)
         values (gen_random_uuid(), 'web1', 42, '{}', now(), 'infinity'), (gen_random_uuid(), 'dead', 1, '{}', now(), now())`),
    [],
  );
  await world.db.query(
    sql(
      "insert into backups (started_at, ended_at, bytes, file, verified) values (now(), now(), 5000000000, '/b', true)",
    ),
    [],
  );
  await storeJobRun(world.db, { name: "prune", startedAt: new Date(2_000), endedAt: new Date(3_500), error: null });
  const system = await getSystem(world.operator);
  expect(system.jobs).toEqual([
    {
      name: "prune",
      startedAt: expect.stringContaining("1970-01-01T00:00:02"),
      seconds: 1.5,
      error: null,
      late: false,
    },
  ]);
  expect(system.processes).toEqual([{ host: "web1", pid: 42, startedAt: expect.any(String), isWorker: false }]);
  expect(system.backup).toMatchObject({ bytes: "5000000000", error: null });
  expect(system.migration).toMatch(/^\d+_/);
  expect(system.tables.length).toBeGreaterThan(5);
  expect(system.databaseBytes).toBeGreaterThan(1_000_000n);
  const problems = system.checks.filter(({ status }) => status !== "ok").map(({ name, status }) => [name, status]);
  expect(problems).toEqual([
    ["worker", "problem"],
    ["ledger", "not_yet"],
    ["comparisons", "not_yet"],
  ]);
});
