import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readChecks } from "#lib/services/system/get.ts";
import { createAdmin } from "#lib/services/user/create-admin.ts";
import { sql } from "#tests/sql.ts";
import { deliverMails, mailSettings } from "#tests/support/mails.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { queueProblemMails } from "./queue-problem-mails.ts";

const DAY = 86_400_000;

let world: World;
beforeAll(async () => {
  world = await newWorld();
  await createAdmin(world.operator, { email: "root@example.com", name: "Root", password: "a long enough secret" });
  await world.reseller();
});
beforeEach(() => world.setClock("2027-03-10T12:00:00Z"));
afterAll(() => world.close());

const worker = () => world.context({ kind: "system", name: "worker" }, { settings: mailSettings(world) });
async function mailed() {
  await queueProblemMails(worker());
  return (await deliverMails(world)).map(({ to, subject, text }) => ({ to, subject, text }));
}
const run = (text: string, values: unknown[] = []) => world.db.query(sql(text), values);

test("admins get one message a day about the same problems, and another one when they change", async () => {
  await run("insert into ledger_checks (differences, checked_at) values (0, $1)", [world.now()]);
  await run("insert into backups (started_at, ended_at, file, verified) values ($1, $1, '/b', true)", [world.now()]);
  expect(await mailed()).toMatchObject([
    {
      to: "root@example.com",
      subject: "License Desk: 1 problem",
      text: expect.stringMatching(/No process runs the worker.*\/system/s),
    },
  ]);
  expect(await mailed()).toEqual([]);
  await run("update ledger_checks set differences = 2");
  expect(await mailed()).toMatchObject([
    { subject: "License Desk: 2 problems", text: expect.stringContaining("2 differences in the books.") },
  ]);
  world.advance(DAY);
  expect(await mailed()).toMatchObject([{ text: expect.stringContaining("2 differences in the books.") }]);
});

test("an installation in order writes nothing, nor does one whose messages wait", async () => {
  await run("update ledger_checks set differences = 0");
  await run(
    `insert into processes (id, host, pid, job_workers, started_at, lease_until)
     values (gen_random_uuid(), 'web1', 42, '{worker}', now(), 'infinity')`,
  );
  expect(await mailed()).toEqual([]);
  await run("update mails set state = 'pending', sent_at = null, created_at = now() - interval '1 hour'");
  const problems = (await readChecks(worker())).filter(({ status }) => status === "problem");
  expect(problems.map(({ name }) => name)).toEqual(["mails"]);
  expect(await queueProblemMails(worker())).toBe(0);
});
