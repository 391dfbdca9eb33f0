import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { inTurn } from "#lib/db/connection/in-turn.ts";
import { withQuery } from "#lib/db/connection/with-query.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { Turns } from "#lib/domain/turns.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { claimKey, findEarlierAnswer, type KeyClaim, releaseKey, replaceAnswer, storeAnswer } from "./claim.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

const requestHash = Buffer.alloc(32, 1);

function contextOf(claim: KeyClaim | undefined) {
  return claim?.kind === "claimed" ? claim.ctx : expect.unreachable();
}

async function newAdmin() {
  const { id } = await world.db.prisma.user.create({
    data: { email: `${randomUUID()}@desk.example`, name: "Admin", passwordHash: "", role: "owner" },
  });
  return world.context({ kind: "admin", userId: id as UserId, resellerId: null, role: "owner" });
}

test("an admin's form without a reseller that is sent several times at once runs once, and later ones get its answer", async () => {
  const admin = await newAdmin();
  const claim = { key: "form-1", requestHash };
  const claims = await Promise.allSettled([1, 2, 3, 4].map(() => claimKey(admin, claim)));
  const [claimed, ...others] = claims.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  expect(others).toEqual([]);
  for (const outcome of claims) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "idempotency_in_progress" });
  }
  const answer = { status: 200, body: '{"done":true}' };
  await storeAnswer(contextOf(claimed), answer);
  expect(await claimKey(admin, claim)).toEqual({ kind: "answered", answer });
  expect(await codeOf(claimKey(admin, { ...claim, requestHash: Buffer.alloc(32, 2) }))).toBe("idempotency_key_reused");
});

test("what a request has done is stored under its key, or its key released, while its reseller has no turn for a statement", async () => {
  const reseller = await world.reseller();
  const only = new Turns({ slots: 1, slotsOfOne: 1, patienceMs: 100 });
  const db = inTurn(world.db, { primary: only, replica: only, refused: () => {} }, reseller.id);
  const claim = async (key: string) => contextOf(await claimKey({ ...reseller.context(), db }, { key, requestHash }));
  const [done, failed] = [await claim("busy-1"), await claim("busy-2")];
  const busy = await inTurn(world.db, { primary: only, replica: only, refused: () => {} }, reseller.id).begin();
  expect(await codeOf(findEarlierAnswer(done, { key: "busy-1", requestHash }))).toBe("unavailable");
  const answer = { status: 200, body: '{"done":true}' };
  expect(await storeAnswer(done, answer)).toBe(true);
  await releaseKey(failed);
  await busy.rollback();
  const again = (key: string) => claimKey(reseller.context(), { key, requestHash });
  expect(await again("busy-1")).toEqual({ kind: "answered", answer });
  expect(await again("busy-2")).toMatchObject({ kind: "claimed" });
});

test("an admin's rejected form can be sent again under its key, and keys of different admins and resellers are separate", async () => {
  const [admin, other] = [await newAdmin(), await newAdmin()];
  const { id } = await world.reseller();
  const claim = { key: "form-2", requestHash };
  await releaseKey(contextOf(await claimKey(admin, claim)));
  for (const ctx of [admin, other, world.context(actors.admin(id))]) {
    expect(await claimKey(ctx, claim)).toMatchObject({ kind: "claimed" });
  }
});

test("an admin's form about a missing reseller is rejected", async () => {
  const admin = world.context(actors.admin(2_147_483_647 as ResellerId));
  expect(await codeOf(claimKey(admin, { key: "form-4", requestHash }))).toBe("not_found");
});

test("the operator's command line has no keys", async () => {
  expect(await codeOf(claimKey(world.operator, { key: "form-3", requestHash }))).toBe("permission_denied");
});

test("the answer that replaces a 202 is not replaced by a late repetition of the 202", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register();
  const claim = { key: "order", requestHash };
  const ctx = contextOf(await claimKey(reseller.context(), claim));
  const silent: LicenseProvider["execute"] = async () => ({ kind: "unknown", message: "No answer." });
  const providers = new Map([[world.provider.name, { ...world.provider, execute: silent }]]);
  expect(await renewLicense({ ...ctx, providers }, { licenseId })).toMatchObject({ pending: true });
  const open = { status: 202, body: "open" };
  expect(await storeAnswer(ctx, open)).toBe(true);
  expect(await storeAnswer(ctx, open)).toBe(true);

  await reconcileOperations(world.operator, { early: true });
  const settled = await claimKey(reseller.context(), claim);
  if (settled.kind !== "settled") expect.unreachable(settled.kind);
  expect(settled.ctx.settledOperation).toMatchObject({ state: "rejected" });
  const answer = { status: 400, body: "rejected" };
  await replaceAnswer(settled.ctx, claim.key, answer);
  expect(await storeAnswer(ctx, open)).toBe(false);
  expect(await claimKey(reseller.context(), claim)).toEqual({ kind: "answered", answer });
});

/** Waits until a statement with this text waits for a lock. */
async function blocked(part: string): Promise<void> {
  const waits = sql("select from pg_stat_activity where wait_event_type = 'Lock' and query like '%' || $1 || '%'");
  await vi.waitFor(async () => expect(await world.db.query(waits, [part])).toHaveLength(1), { timeout: 10_000 });
}

test("a key that is released while its operation still waits for the wallet keeps the operation that commits afterwards", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register();
  const claim = { key: "broken-connection", requestHash };
  const ctx = contextOf(await claimKey(reseller.context(), claim));
  const other = await world.db.begin();
  await other.query(sql("select from wallets where reseller_id = $1 for update"), [reseller.id]);
  const renewal = renewLicense(ctx, { licenseId });
  await blocked("hold_operations");
  // As when the connection breaks: the request ends, its statement goes on.
  const released = releaseKey(ctx);
  await blocked("idempotency_records");
  await other.rollback();
  await Promise.all([renewal, released]);

  const retry = contextOf(await vi.waitFor(() => claimKey(reseller.context(), claim), 10_000));
  await renewLicense(retry, { licenseId });
  expect(await reseller.operations()).toMatchObject([{ kind: "license_register" }, { kind: "license_renew" }]);
});

test("a request ends while the database does not answer the release of its key, which goes on", async () => {
  const reseller = await world.reseller();
  const claim = { key: "silent-database", requestHash };
  const { promise: answers, resolve: answer } = Promise.withResolvers<void>();
  const db = withQuery(world.db, async (statement, values) => {
    if (statement.name?.startsWith("release_idempotency")) await answers;
    return world.db.query(statement, values);
  });
  await releaseKey(contextOf(await claimKey({ ...reseller.context(), db }, claim)));
  expect(await codeOf(claimKey(reseller.context(), claim))).toBe("idempotency_in_progress");
  answer();
  expect(await vi.waitFor(() => claimKey(reseller.context(), claim), 10_000)).toMatchObject({ kind: "claimed" });
});
