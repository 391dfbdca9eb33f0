import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import type { UserId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { actors } from "#tests/support/actors.ts";
import { formKey } from "#tests/support/claims.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { cancelBulkJob } from "./cancel.ts";
import { retryFailedBulkItems } from "./retry.ts";
import { runBulkJob } from "./run.ts";
import { type BulkStart, startBulkJob } from "./start.ts";

let world: World;
let reseller: ResellerWorld;

beforeAll(async () => {
  world = await newWorld();
  reseller = await world.reseller();
});
afterAll(() => world.close());

const switchOn = (...licenseIds: number[]): BulkStart => ({
  kind: "set_auto_renew",
  parameters: { on: true },
  items: licenseIds.map((licenseId) => ({ licenseId })),
  quotedTotal: 1250n,
  currency: "USD" as Currency,
});
const auditOf = (jobId: number) =>
  world.db.prisma.auditEntry.findMany({ where: { subject: `bulk_job:${jobId}` }, orderBy: { id: "asc" } });

test("a repeated submission starts one job with one audit entry", async () => {
  const { licenseId } = await reseller.register();
  const job = switchOn(licenseId);
  const ctx = world.context(actors.user(reseller.id), formKey(world.db, "web:1:form"));
  const jobId = await startBulkJob(ctx, reseller.id, job);
  expect(await startBulkJob(ctx, reseller.id, job)).toBe(jobId);
  expect(await auditOf(jobId)).toEqual([
    expect.objectContaining({
      action: "bulk.start",
      actor: "user:1",
      resellerId: reseller.id,
      requestId: "req_test",
      subjectLabel: "Automatic renewal",
      data: { items: 1, leftOut: 0, quotedTotal: "12.50", currency: "USD" },
    }),
  ]);
});

test("the audit log has who canceled or retried a job, and no rejected attempts", async () => {
  const stranger = await world.reseller();
  const { licenseId: foreign } = await stranger.register();
  const person = world.context(actors.user(reseller.id));
  const colleague = world.context({
    kind: "reseller_user",
    userId: 9 as UserId,
    resellerId: reseller.id,
    actingAdmin: true,
    role: "owner",
  });
  const jobId = await startBulkJob(person, reseller.id, switchOn(foreign));
  await runBulkJob(world.operator, { jobId });
  await retryFailedBulkItems(colleague, { jobId, agreedTotal: 0n });
  expect(await codeOf(retryFailedBulkItems(person, { jobId, agreedTotal: 0n }))).toBe("state_invalid");
  await cancelBulkJob(person, { jobId });
  expect(await codeOf(cancelBulkJob(person, { jobId }))).toBe("state_invalid");
  expect((await auditOf(jobId)).slice(1)).toEqual([
    expect.objectContaining({
      action: "bulk.retry",
      actor: "user:9",
      actingAsResellerId: reseller.id,
      data: { items: 1 },
    }),
    expect.objectContaining({ action: "bulk.cancel", actor: "user:1", requestId: "req_test", data: { items: 1 } }),
  ]);
});

test("a reseller has 50 unfinished jobs at most; a repeated submission still finds its own, and admins have no limit", async () => {
  const busy = await world.reseller();
  const { licenseId } = await busy.register();
  const person = world.context(actors.user(busy.id));
  const start = (ctx = person) => startBulkJob(ctx, busy.id, switchOn(licenseId));
  const first = await start();
  for (let open = 2; open < 50; open++) await start();
  const keyed = world.context(actors.user(busy.id), formKey(world.db, "web:1:last"));
  const last = await start(keyed);
  expect(await codeOf(start())).toBe("state_invalid");
  expect(await start(keyed)).toBe(last);
  await startBulkJob(world.context(actors.user(reseller.id)), reseller.id, switchOn(licenseId));
  await start(world.context(actors.admin(busy.id)));
  for (const jobId of [first, first + 1]) await runBulkJob(world.operator, { jobId });
  await start();
});

test("a job has at most 10,000 items, whatever planned it", async () => {
  const person = world.context(actors.user(reseller.id));
  const items = Array.from({ length: MAX_BULK_ITEMS + 1 }, () => ({}));
  const message = "At most 10,000 can be changed at once. Select fewer.";
  await expect(startBulkJob(person, reseller.id, { ...switchOn(), items })).rejects.toThrow(message);
});
