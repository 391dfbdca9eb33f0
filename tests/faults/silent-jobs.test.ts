import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { backUpWhenDue } from "#lib/backup/scheduled.ts";
import { connectForBackup } from "#lib/db/backup/session.ts";
import { openDatabase } from "#lib/db/connection/client.ts";
import type { ScheduledJobName } from "#lib/domain/scheduled-jobs.ts";
import { createSchedule } from "#lib/jobs/schedule.ts";
import { withDeadline } from "#lib/with-deadline.ts";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { startDatabaseProxy } from "./database-proxy.ts";

const ENDS_WITHIN_MS = 30_000;
const TIMEOUT_MS = 180_000;
/** A new connection sends its user, and twice what proves its password, before its first statement. */
const FIRST_STATEMENT = 4;
/** The first byte of what ends a connection: nobody waits for an answer to it. */
const GOODBYE = "X".charCodeAt(0);

/** Connections of a backup that the server has not ended yet: they keep others from being made. */
const backups = sql(
  "select from pg_stat_activity where datname = current_database() and application_name = 'license-desk backup'",
);

const folder = mkdtempSync(join(tmpdir(), "license-desk-silent-jobs-"));
let world: World;
let runs = 0;

beforeAll(async () => {
  world = await newWorld({ start: new Date() });
  for (const reseller of [await world.reseller(), await world.reseller()]) await reseller.register({});
}, TIMEOUT_MS);
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const noBackup = async () => expect(await world.db.query(backups, [])).toEqual([]);

/** Runs a job whose database falls silent when it is sent something for the n-th time; returns how often it was sent something. */
async function run(name: ScheduledJobName, silentFrom: number): Promise<number> {
  const proxy = await startDatabaseProxy(world.url);
  let sent = 0;
  proxy.freeze((bytes) => bytes[0] !== GOODBYE && ++sent >= silentFrom);
  const db = openDatabase({ url: proxy.url, poolSize: 4 });
  runs += 1;
  const target = { databaseUrl: proxy.url, folder: join(folder, String(runs)), checkIn: null, migrationsDir: "" };
  const due = { now: new Date(), hour: 0, passphrase: null, secrets: null };
  const schedule = createSchedule(() => backUpWhenDue({ ...target, ...due }));
  try {
    await withDeadline(schedule[name].run({ ...world.operator, db }, undefined), ENDS_WITHIN_MS);
    return sent;
  } finally {
    proxy.thaw();
    await db.close();
    await proxy.close();
    if (name === "back_up") await vi.waitFor(noBackup, 15_000);
  }
}

test.concurrent.each(Object.keys(createSchedule(async () => null)) as ScheduledJobName[])(
  "%s ends within 30 s of its start when the database falls silent at its first, its middle or its last statement, and then runs again",
  async (name) => {
    await run(name, Number.POSITIVE_INFINITY);
    const sent = await run(name, Number.POSITIVE_INFINITY);
    for (const place of new Set([FIRST_STATEMENT, (FIRST_STATEMENT + sent) >> 1, sent])) {
      const outcome = await run(name, place).then(
        (arrived) => (arrived < place ? "this time there was less to do" : "done without an answer"),
        (error: Error) => error.message,
      );
      const expected = /temporarily unavailable|Query read timeout|less to do/;
      expect(outcome, `silent from ${place} of ${sent}`).toMatch(expected);
    }
    await run(name, Number.POSITIVE_INFINITY);
  },
  TIMEOUT_MS,
);

test(
  "a statement of a backup may be silent for longer, as long as the server runs it",
  async () => {
    const client = await connectForBackup(world.url);
    expect((await client.query("select pg_sleep(20)")).rowCount).toBe(1);
    await client.end();
  },
  TIMEOUT_MS,
);
