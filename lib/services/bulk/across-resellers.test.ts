import { afterAll, beforeAll, expect, test } from "vitest";
import type { UserId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { onBehalfOf } from "#lib/services/context.ts";
import { exportAllLicenses } from "#lib/services/license/export.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { sandboxOf } from "#tests/support/sandbox.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { cancelBulkJob } from "./cancel.ts";
import { getBulkJob, getBulkJobOwner } from "./get.ts";
import { listAllBulkJobs, listBulkJobs } from "./list.ts";
import { quoteLicenseBulk } from "./quote-licenses.ts";
import { quoteBulkRetry } from "./quote-retry.ts";
import { retryFailedBulkItems } from "./retry.ts";
import { runBulkJob } from "./run.ts";
import { getSelectionOwner } from "./selection-owner.ts";
import { startBulkJob } from "./start.ts";
import { startLicenseBulk } from "./start-licenses.ts";

const suspend = { kind: "suspend", reason: "unpaid" } as const;
let world: World;
let one: ResellerWorld;
let other: ResellerWorld;

let userId: UserId;

beforeAll(async () => {
  world = await newWorld();
  const data = { email: "admin@desk.example", name: "Ada Admin", passwordHash: "", role: "owner" } as const;
  userId = (await world.db.prisma.user.create({ data, select: { id: true } })).id as UserId;
  [one, other] = [await world.reseller(), await world.reseller()];
});
afterAll(() => world.close());

const admin = () => world.context({ kind: "admin", userId, resellerId: null, role: "owner" });

async function start(ids: readonly number[], ctx = admin()) {
  const owner = await getSelectionOwner(ctx, { licenseIds: ids });
  const acting = onBehalfOf(ctx, owner.id, []);
  const input = { change: suspend, selection: { licenseIds: ids } };
  return startLicenseBulk(acting, { ...input, agreed: await quoteLicenseBulk(acting, input) });
}

test("an admin's job belongs to the reseller of the selected licenses, and acts with the admin's rights", async () => {
  const { licenseId } = await one.register();
  const { jobId } = await start([licenseId]);
  expect(await getBulkJobOwner(admin(), { jobId })).toBe(one.id);
  await runBulkJob(world.operator, { jobId });
  expect(await one.license(licenseId)).toMatchObject({ suspendedBy: "admin", suspensionReason: "unpaid" });
  expect(await getBulkJob(world.context(actors.user(one.id)), { jobId })).toMatchObject({ actorKind: "admin" });
});

test("only an admin retries or cancels what an admin started", async () => {
  const { licenseId: foreign } = await other.register();
  const acting = onBehalfOf(admin(), one.id, []);
  const jobId = await startBulkJob(acting, one.id, {
    kind: "unsuspend",
    parameters: {},
    items: [{ licenseId: foreign }],
    quotedTotal: 0n,
    currency: "USD" as Currency,
  });
  await runBulkJob(world.operator, { jobId });
  const person = world.context(actors.user(one.id));
  const retry = { jobId, agreedTotal: 0n };
  expect(await getBulkJob(person, { jobId })).toMatchObject({ mayChange: false });
  expect(await codeOf(quoteBulkRetry(person, { jobId }))).toBe("permission_denied");
  expect(await codeOf(retryFailedBulkItems(person, retry))).toBe("permission_denied");
  expect(await getBulkJob(acting, { jobId })).toMatchObject({ mayChange: true });

  await retryFailedBulkItems(acting, retry);
  expect(await codeOf(cancelBulkJob(person, { jobId }))).toBe("permission_denied");
  expect(await cancelBulkJob(acting, { jobId })).toMatchObject({ canceledAt: expect.any(Date) });
});

test("resellers do not see which admin started a job, acting as them or not; admins do", async () => {
  const actingAs = { kind: "reseller_user", userId, resellerId: one.id, role: "owner", actingAdmin: true } as const;
  const { licenseId } = await one.register();
  const input = { change: suspend, selection: { licenseIds: [licenseId] } };
  for (const ctx of [onBehalfOf(admin(), one.id, []), world.context(actingAs)]) {
    const { jobId } = await startLicenseBulk(ctx, { ...input, agreed: await quoteLicenseBulk(ctx, input) });
    const person = world.context(actors.user(one.id));
    expect(await getBulkJob(person, { jobId })).toMatchObject({ userName: "Administrator" });
    const { rows: jobs } = await listBulkJobs(person, { before: null, limit: 1 });
    expect(jobs).toMatchObject([{ id: jobId, userName: "Administrator" }]);
    expect(await getBulkJob(onBehalfOf(admin(), one.id, []), { jobId })).toMatchObject({ userName: "Ada Admin" });
  }
});

test("licenses of several resellers are refused by their names, and a role that changes nothing starts nothing", async () => {
  const ids = [(await one.register()).licenseId, (await other.register()).licenseId];
  const refusal = getSelectionOwner(admin(), { licenseIds: ids });
  await expect(refusal).rejects.toMatchObject({
    code: "state_invalid",
    message: expect.stringContaining("belong to 2 resellers"),
  });
  expect(await codeOf(getSelectionOwner(admin(), { licenseIds: [2_000_000_000] }))).toBe("license_not_found");
  expect(await codeOf(start(ids.slice(0, 1), world.context(actors.admin(null, "support"))))).toBe("permission_denied");
});

test("an admin lists the jobs of all live resellers, newest first, and none of test mode", async () => {
  const sandbox = await sandboxOf(world, one);
  await start([(await sandbox.register()).licenseId]);
  const first = await start([(await one.register()).licenseId]);
  const second = await start([(await other.register()).licenseId]);
  const { rows: jobs, next: place } = await listAllBulkJobs(admin(), { before: null, limit: 2 });
  expect(jobs.map(({ id, resellerId }) => [id, resellerId])).toEqual([
    [second.jobId, other.id],
    [first.jobId, one.id],
  ]);
  const next = await listAllBulkJobs(admin(), { before: place, limit: 50 });
  expect(next.rows.map(({ resellerId }) => resellerId)).not.toContain(sandbox.id);
});

test("an admin's export names each license's reseller", async () => {
  let text = "";
  const input = { filter: {}, order: "oldest", columns: [] } as const;
  for await (const piece of exportAllLicenses(admin(), input)) text += piece;
  const [header, ...lines] = text.trim().split("\r\n");
  expect(header).toBe("reseller,license_id,product");
  const names = new Set(lines.map((line) => line.split(",lic_")[0]));
  expect(names.size).toBe(2);
});
