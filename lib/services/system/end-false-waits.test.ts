import { randomUUID } from "node:crypto";
import { runMigrations } from "graphile-worker";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mailRetryDelayMs } from "#lib/domain/mail/retry.ts";
import type { Currency } from "#lib/domain/money.ts";
import { nextDelayMs, retryDelaysMs } from "#lib/domain/retry.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import { startBulkJob } from "#lib/services/bulk/start.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { claimDueMails } from "#lib/services/mail/deliver.ts";
import { listDueOperations, reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { wakeRenewals } from "#lib/services/renewals/run-due.ts";
import { createAdmin } from "#lib/services/user/create-admin.ts";
import { claimDueDeliveries } from "#lib/services/webhook/deliver.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { rehearsed } from "#tests/support/faults.ts";
import { mailSettings } from "#tests/support/mails.ts";
import { newWebhooks, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { endFalseWaits } from "./end-false-waits.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let world: World;
let webhooks: Webhooks;
beforeEach(async () => {
  world = await newWorld({ start: new Date() });
  webhooks = newWebhooks(world);
  await runMigrations({ connectionString: world.url });
});
afterEach(async () => {
  await webhooks.sender.close();
  await world.close();
});

const run = (text: string, ...values: unknown[]) => world.db.query(sql(text), values);
const aheadBy = (ms: number) => new Date(world.now().getTime() + ms);

interface Wait {
  /** Its longest delay. */
  readonly longestMs: number;
  /** Makes something wait for so long. */
  start(ms: number): Promise<unknown>;
  countDue(): Promise<number>;
}

const waits: Readonly<Record<string, Wait>> = {
  "a question for an outcome": {
    longestMs: 30_000,
    async start(ms) {
      const reseller = await world.reseller();
      const { operation } = await reseller.register({ ip: rehearsed.garblesAnswer });
      await run("update operations set ask_at = $2 where id = $1", operation.id, aheadBy(ms));
    },
    countDue: async () => (await listDueOperations(world.operator, { except: [], limit: 10 })).length,
  },
  "a webhook in order": {
    longestMs: nextDelayMs(retryDelaysMs.length - 1, null, 1) ?? 0,
    async start(ms) {
      const reseller = await world.reseller();
      await webhooks.endpoint(reseller.id, { url: "http://127.0.0.1:1", ordered: true });
      await webhooks.emit(reseller.id);
      await run("update webhook_deliveries set next_attempt_at = $1", aheadBy(ms));
      await webhooks.emit(reseller.id);
    },
    countDue: async () => (await claimDueDeliveries(webhooks.worker(), { slots: 10, failingSlots: 10 })).length,
  },
  "a message": {
    longestMs: mailRetryDelayMs(10, 1),
    async start(ms) {
      const email = `${randomUUID()}@example.com`;
      const admin = { email, name: "Root", password: "a long enough secret" };
      const { userId } = await createAdmin(world.operator, admin);
      const queue = "select queue_mail($1, 'low_balance', u, '{}', null, null, null, $3) from users u where u.id = $2";
      await run(queue, randomUUID(), userId, aheadBy(ms));
    },
    async countDue() {
      const ctx = world.context({ kind: "system", name: "worker" }, { settings: mailSettings(world) });
      return (await claimDueMails(ctx, { slots: 10 })).length;
    },
  },
  "a bulk job's wait for a provider": {
    longestMs: 60_000,
    async start(ms) {
      const reseller = await world.reseller();
      const { licenseId } = await reseller.register();
      const job = { kind: "set_notes", parameters: { notes: "new" }, items: [{ licenseId, input: {} }] } as const;
      await startBulkJob(world.context(actors.user(reseller.id)), reseller.id, {
        ...job,
        quotedTotal: 0n,
        currency: "USD" as Currency,
      });
      await run("update bulk_jobs set waits_until = $1", aheadBy(ms));
      await run("select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))");
    },
    countDue: async () => (await run("select from bulk_jobs where waits_until <= $1", world.now())).length,
  },
  "a turn of a reseller's renewals": {
    longestMs: Math.exp(5) * 1_000,
    async start(ms) {
      const reseller = await world.reseller();
      const { licenseId, expiresAt } = await reseller.register();
      await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
      world.setClock(new Date(expiresAt.getTime() - DAY_MS));
      await wakeRenewals(world.operator);
      await run(
        "select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at => $1)",
        aheadBy(ms),
      );
      expect(await wakeRenewals(world.operator)).toBe(1);
    },
    countDue: async () => (await run("select from graphile_worker.jobs where run_at <= $1", world.now())).length,
  },
};

test.each(Object.entries(waits))(
  "%s waits no longer than its longest delay, though the clock was ahead",
  async (_, wait) => {
    await wait.start(1.5 * wait.longestMs + 5 * MINUTE_MS);
    expect(await wait.countDue()).toBe(0);
    expect(await endFalseWaits(world.operator)).toBe(1);
    expect(await wait.countDue()).toBe(1);
  },
);

test.each(Object.entries(waits))("%s is not hurried", async (_, wait) => {
  await wait.start(wait.longestMs);
  expect(await endFalseWaits(world.operator)).toBe(0);
  expect(await wait.countDue()).toBe(0);
});

test.each([
  ["sent", "sent_at = $1"],
  ["that may not have been sent", "created_at = $1, sent_at = null"],
])(
  "a request %s, by a clock that was ahead, counts as lost ten minutes after the clock's correction",
  async (_, ahead) => {
    const reseller = await world.reseller();
    await reseller.register({ ip: rehearsed.garblesAnswer });
    const unseen: LicenseProvider = { ...world.provider, lookUp: async () => ({ kind: "not_found", isVoid: false }) };
    const ctx = { ...world.operator, providers: new Map([[unseen.name, unseen]]) };
    const stateAfter = async (minutes: number) => {
      world.advance(minutes * MINUTE_MS);
      await reconcileOperations(ctx, { early: true });
      return (await reseller.operations()).map(({ state }) => state);
    };
    await run(`update operations set ${ahead}, ask_at = $1`, aheadBy(DAY_MS));
    expect(await endFalseWaits(world.operator)).toBe(1);
    expect(await stateAfter(9)).toEqual(["unknown"]);
    expect(await stateAfter(2)).toEqual(["rejected"]);
  },
);

test("a process that has slept for an hour does not count the requests of others as lost", async () => {
  const reseller = await world.reseller();
  await reseller.register({ ip: rehearsed.garblesAnswer });
  await run("update operations set sent_at = $1", world.now());
  const sentAt = async () => (await reseller.operations()).map(({ sent_at }) => sent_at);
  const before = await sentAt();
  world.advance(-60 * MINUTE_MS);
  expect(await endFalseWaits(world.operator)).toBe(0);
  expect(await sentAt()).toEqual(before);
});
