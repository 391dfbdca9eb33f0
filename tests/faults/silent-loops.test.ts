import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { runMigrations } from "graphile-worker";
import { expect, test, vi } from "vitest";
import { openDatabase } from "#lib/db/connection/client.ts";
import { startMailWorker } from "#lib/mail-worker.ts";
import { startOperationWorker } from "#lib/operation-worker.ts";
import { startScheduleWorker } from "#lib/schedule-worker.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { createAdmin } from "#lib/services/user/create-admin.ts";
import { startWebhookWorker } from "#lib/webhook-worker.ts";
import { sql } from "#tests/sql.ts";
import { placeLicense, rehearsed } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { makeJobDue } from "#tests/support/job.ts";
import { mailSettings } from "#tests/support/mails.ts";
import { startReceiver } from "#tests/support/receiver.ts";
import { newWebhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { type DatabaseProxy, startDatabaseProxy } from "./database-proxy.ts";

/** A statement without an answer fails after 17 s, and a loop that failed polls again 5 s later. */
const WAIT = { timeout: 45_000, interval: 100 };
/** Longer than a statement waits. */
const SILENT_MS = 18_000;
/** For a second sending, if there is one. */
const TWICE_WITHIN_MS = 2_000;
const realTime = { now: () => new Date() };

interface Loop {
  /** Runs it on the database that falls silent. */
  start(db: ServiceContext["db"]): { stop(graceMs: number): Promise<void> };
  /** Adds a piece of work. */
  add(): Promise<void>;
  /** Lets the time pass after which the loop repeats what it claimed without learning of it. */
  readonly repeatLost?: () => Promise<void>;
  /** What has left so far: an entry for each sending. */
  readonly sent: () => Promise<readonly unknown[]> | readonly unknown[];
  /** Selects what is recorded as sent. */
  readonly recorded: string;
}

const noted = { logError: () => undefined };

/** By the loop's file in `lib`. */
const loops: Readonly<Record<string, (world: World, cleanUp: (() => unknown)[]) => Promise<Loop>>> = {
  async "webhook-worker.ts"(world, cleanUp) {
    await runMigrations({ connectionString: world.url });
    const webhooks = newWebhooks(world);
    const receiver = await startReceiver();
    cleanUp.push(
      () => webhooks.sender.close(),
      () => receiver.close(),
    );
    const reseller = await world.reseller();
    await webhooks.endpoint(reseller.id, { url: receiver.url, events: ["license.renewed"] });
    return {
      start: (db) => startWebhookWorker({ ...webhooks.worker(realTime), db }, webhooks.sender, noted),
      add: async () => void (await webhooks.emit(reseller.id)),
      sent: () => receiver.received,
      recorded: "select from webhook_deliveries where state = 'succeeded'",
    };
  },
  async "mail-worker.ts"(world) {
    const person = { email: "root@example.com", name: "Root", password: "a long enough secret" };
    const { userId } = await createAdmin(world.operator, person);
    const sent: unknown[] = [];
    const send = async (message: unknown) => {
      sent.push(message);
      return { kind: "accepted" } as const;
    };
    const context = () =>
      world.context({ kind: "system", name: "worker" }, { ...realTime, settings: mailSettings(world) });
    return {
      start: (db) => startMailWorker({ ...context(), db }, { send, check: () => expect.unreachable() }, noted),
      add: async () =>
        void (await world.db.query(
          sql("select queue_mail($1, 'low_balance', u, $4, null, null, null, $3) from users u where u.id = $2"),
          [randomUUID(), userId, new Date(), { balance: "3.20", threshold: "10.00", currency: "USD" }],
        )),
      sent: () => sent,
      recorded: "select from mails where state = 'sent'",
    };
  },
  async "operation-worker.ts"(world) {
    const reseller = await world.reseller();
    let last: number | null = null;
    const context = () => world.context({ kind: "system", name: "worker" }, realTime);
    return {
      start: (db) => startOperationWorker({ ...context(), db }, { ...noted, logSettled: () => undefined }),
      async add() {
        if (last !== null) await placeLicense(world, last, world.freshIp());
        const { operation, licenseId } = await reseller.register({ ip: rehearsed.garblesAnswer }, realTime);
        last = licenseId;
        await world.db.query(sql("update operations set ask_at = now() where id = $1"), [operation.id]);
      },
      async sent() {
        await expectBooksToAgree(world.db);
        return (await reseller.entries()).slice(1);
      },
      recorded: "select from operations where state = 'succeeded'",
    };
  },
  async "schedule-worker.ts"(world) {
    const sent: string[] = [];
    const schedule = { job: { everyMs: 3_600_000, offsetMs: 0, deadlineMs: 60_000, run: async () => null } };
    const context = () => world.context({ kind: "system", name: "worker" }, realTime);
    return {
      start: (db) =>
        startScheduleWorker(
          { ...context(), db },
          { schedule, runJob: async (name) => void sent.push(name), logError: () => () => undefined },
        ),
      async add() {
        // The end of a run says when the next one is due.
        const running = sql("select from job_runs where running_since is not null");
        await vi.waitFor(async () => expect(await world.db.query(running, [])).toEqual([]), WAIT);
        await makeJobDue(world.db, "job");
      },
      repeatLost: () => makeJobDue(world.db, "job"),
      sent: () => sent,
      recorded: "select from job_runs where ended_at >= started_at",
    };
  },
};

const silences: Readonly<Record<string, (proxy: DatabaseProxy) => void>> = {
  "takes no more statements": (proxy) => proxy.freeze(),
  "answers no more": (proxy) => proxy.loseAnswers(),
};

test("every loop of the worker is covered", () => {
  const lib = new URL("../../lib/", import.meta.url);
  const files = readdirSync(lib).filter(
    (file) =>
      /(?<!\.test)\.ts$/.test(file) && /(?<!function )\bstartLoop[(<]/.test(readFileSync(new URL(file, lib), "utf8")),
  );
  expect(files.toSorted()).toEqual(Object.keys(loops).toSorted());
});

async function outlast(file: string, silence: string): Promise<void> {
  const world = await newWorld({ start: new Date() });
  const cleanUp: (() => unknown)[] = [() => world.close()];
  try {
    const loop = (await loops[file]?.(world, cleanUp)) ?? expect.unreachable();
    const proxy = await startDatabaseProxy(world.url);
    const db = openDatabase({ url: proxy.url, poolSize: 4 });
    const running = loop.start(db);
    cleanUp.push(
      () => proxy.close(),
      () => db.close(),
      () => running.stop(1_000),
    );
    const expectSent = (count: number) =>
      vi.waitFor(async () => expect(await loop.sent(), silence).toHaveLength(count), WAIT);
    await loop.add();
    await expectSent(1);
    // Its outcome is recorded, so the next statement is a claim.
    await vi.waitFor(async () => expect(await world.db.query(sql(loop.recorded), [])).toHaveLength(1), WAIT);
    silences[silence]?.(proxy);
    await loop.add();
    await sleep(SILENT_MS);
    await loop.repeatLost?.();
    if (silence === "takes no more statements") proxy.thaw();
    await expectSent(2);
    await loop.add();
    await expectSent(3);
    await sleep(TWICE_WITHIN_MS);
    expect(await loop.sent(), silence).toHaveLength(3);
  } finally {
    for (const end of cleanUp.toReversed()) await end();
  }
}

test.concurrent.each(Object.keys(loops))(
  "%s goes on after its database was silent: what was due meanwhile is sent once, and what is due later as well",
  async (file) => {
    await Promise.all(Object.keys(silences).map((silence) => outlast(file, silence)));
  },
);
