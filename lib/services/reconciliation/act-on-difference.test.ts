import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { CaseAction } from "#lib/domain/reconciliation.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { runDueRenewals } from "#lib/services/renewals/run-due.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { createFaultyDatabase } from "#tests/support/faulty-database.ts";
import { createInbox, FUNDS, type Inbox, PRICE, REASON } from "#tests/support/inbox.ts";
import { byDay, counting, reportingAs } from "#tests/support/other-books.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { actOnCase } from "./act.ts";
import { detectDrift } from "./detect-drift.ts";
import { getCase } from "./get-case.ts";

const DAY_MS = 86_400_000;

let world: World;
let inbox: Inbox;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  inbox = createInbox(world);
});
beforeEach(async () => {
  inbox.enterMidMonth();
  reseller = await inbox.begin();
});
afterAll(() => world.close());

const endThere = async (key: string) => {
  const [row] = await world.db.query(
    sql<{ expires_at: Date }>("select expires_at from sandbox_provider_licenses where reference = $1"),
    [key],
  );
  return row?.expires_at;
};
const claimedUntil = async (licenseId: number) => {
  const rows = await world.db.query(
    sql<{ valid_until: Date }>("select valid_until from address_claims where license_id = $1"),
    [licenseId],
  );
  return rows.map(({ valid_until }) => valid_until);
};
const offerOf = async (caseId: number, action: CaseAction) =>
  (await getCase(inbox.admin(), { caseId })).actions.find((offered) => offered.action === action);
const reasonOf = async (caseId: number, action: CaseAction) => {
  const rule = (await offerOf(caseId, action))?.rule;
  return rule && !rule.possible ? rule.reason : null;
};

async function bundle() {
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  world.advance(1_000);
  return instance;
}

describe("a term that is longer at the provider", () => {
  test("adopted: our term is as long, keeps anchor and address, and nothing is charged", async () => {
    const { details } = await inbox.otherTerm(2);
    const licenseId = details.licenseId ?? 0;
    const before = await reseller.license(licenseId);
    await inbox.act(details.id, "adopt");
    const after = await reseller.license(licenseId);
    expect(after.expiresAt).toEqual(await endThere(before.key));
    expect(after.anchoredAt).toEqual(before.anchoredAt);
    expect(await claimedUntil(licenseId)).toEqual([after.expiresAt]);
    expect(await reseller.entries()).toEqual([FUNDS, -PRICE]);
    expect((await reseller.eventKinds()).at(-1)).toBe("license.renewed");
    await inbox.expectDone(details.id, "adopted");
  });

  test("charged: each cycle is a renewal at today's price, and nothing is sent", async () => {
    const { details } = await inbox.otherTerm(2);
    expect((await offerOf(details.id, "charge"))?.money.wallet).toBe(-2n * PRICE);
    await inbox.act(details.id, "charge");
    expect(await reseller.entries()).toEqual([FUNDS, -PRICE, -PRICE, -PRICE]);
    const operations = await reseller.operations();
    expect(operations.slice(1)).toMatchObject([
      { kind: "license_renew", state: "succeeded", plan: { steps: [] } },
      { kind: "license_renew", state: "succeeded", plan: { steps: [] } },
    ]);
    expect((await reseller.license(details.licenseId ?? 0)).expiresAt).toEqual(await endThere(details.reference));
    await inbox.expectDone(details.id, "adopted");
  });

  test("charged only if the balance covers all of it, and at the price shown", async () => {
    const { details } = await inbox.otherTerm(2);
    const act = (agreedWallet: bigint) =>
      actOnCase(inbox.admin(), { caseId: details.id, action: "charge", reason: REASON, agreedWallet });
    expect(await codeOf(act(-PRICE))).toBe("conflict");
    await world.db.query(sql("update wallets set posted = $2 where reseller_id = $1"), [reseller.id, PRICE]);
    expect(await codeOf(act(-2n * PRICE))).toBe("insufficient_balance");
    expect(await reseller.operations()).toHaveLength(1);
    await world.db.query(sql("update wallets set posted = $2 where reseller_id = $1"), [reseller.id, FUNDS - PRICE]);
  });

  /** Charges two cycles; `meanwhile` happens before the second. */
  async function chargeInPart(caseId: number, meanwhile: () => Promise<unknown>, reason: RegExp) {
    // The comparison was earlier than what the first cycle changes.
    world.advance(1_000);
    const { db, paused, resume } = createFaultyDatabase(
      world.db,
      { at: 2, when: "before", kind: "pause" },
      (name) => name === "hold_operations",
    );
    const acting = actOnCase({ ...inbox.admin(), db }, { caseId, action: "charge", reason: REASON });
    const refusal = expect(acting).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(new RegExp(`^Charged only 1 of 2 cycles: ${reason.source}`)),
    });
    await paused;
    await meanwhile();
    resume();
    await refusal;
    expect(await reseller.entries()).toEqual([FUNDS, -PRICE, -PRICE]);
    const { history } = await getCase(inbox.admin(), { caseId });
    expect(history).toMatchObject([{ actor: "user:2", reason: REASON, data: { state: "partly" } }]);
  }

  test("charged in part if the balance then covers no more: the admin and the case's history say so", async () => {
    const { details } = await inbox.otherTerm(2);
    const setPosted = (posted: bigint) =>
      world.db.query(sql("update wallets set posted = $2 where reseller_id = $1"), [reseller.id, posted]);
    await chargeInPart(details.id, () => setPosted(PRICE - 1n), /Not enough balance/);
    await setPosted(FUNDS - 2n * PRICE);
  });

  test("a charge that stops midway because the license changed says so, and blames no other admin", async () => {
    const { details } = await inbox.otherTerm(2);
    const end = () => terminateLicense(reseller.context(), { licenseId: details.licenseId ?? 0 });
    await chargeInPart(details.id, end, /Another operation on this license/);
  });

  test("corrected: the provider's term ends with ours, by a free operation", async () => {
    const { details } = await inbox.otherTerm(1);
    await inbox.act(details.id, "correct");
    const { expiresAt } = await reseller.license(details.licenseId ?? 0);
    expect(await endThere(details.reference)).toEqual(expiresAt);
    expect((await reseller.operations()).at(-1)).toMatchObject({
      kind: "license_correct",
      state: "succeeded",
      price: 0n,
    });
    expect(await reseller.entries()).toEqual([FUNDS, -PRICE]);
    await inbox.expectDone(details.id, "corrected");
  });

  test("adopting the term revives a license that expired here, unless its address is taken", async () => {
    const { details } = await inbox.otherTerm(1);
    const license = await reseller.license(details.licenseId ?? 0);
    world.setClock(new Date(license.expiresAt.getTime() + 86_400_000));
    await inbox.compare();
    const other = await reseller.register({ ip: license.ipAddress });
    for (const action of ["adopt", "charge"] as const) {
      expect(await codeOf(inbox.act(details.id, action))).toBe("state_invalid");
    }
    expect(await reseller.wallet()).toMatchObject({ held: 0n });
    await world.db.query(sql("update licenses set terminated_at = now() where id = $1"), [other.licenseId]);
    await inbox.editBooks("update sandbox_provider_licenses set state = 'terminated' where reference = $1", [
      other.licenseKey,
    ]);
    await inbox.act(details.id, "adopt");
    expect((await reseller.license(license.id)).expiresAt.getTime()).toBeGreaterThan(world.now().getTime());
    await inbox.expectDone(details.id, "adopted");
  });
});

describe("a term that is shorter at the provider", () => {
  test("adopted: the charge stays, and the license ends with the provider's", async () => {
    const { details } = await inbox.otherTerm(-1);
    await inbox.act(details.id, "adopt");
    expect((await reseller.license(details.licenseId ?? 0)).expiresAt).toEqual(await endThere(details.reference));
    expect(await reseller.entries()).toEqual([FUNDS, -PRICE, -PRICE]);
    expect((await reseller.eventKinds()).at(-1)).toBe("license.updated");
    await inbox.expectDone(details.id, "adopted");
  });

  test("refunded: the charge for the missing time, once, at most the rest of the charge", async () => {
    const { licenseId, licenseKey } = await reseller.register();
    world.advance(1_000);
    const { operation } = await renewLicense(reseller.context(), { licenseId });
    await renewLicense(reseller.context(), { licenseId });
    await inbox.endTerm(licenseKey, -2);
    await world.db.query(sql("select from refund_operation($1, 450, 'T-1', 'goodwill', 'user:2', null, $2)"), [
      operation.id,
      world.now(),
    ]);
    const { details } = await inbox.theCase("differs");
    expect(details.value).toMatchObject({ what: "unprovided", amount: String(2n * PRICE - 450n) });
    expect((await offerOf(details.id, "refund"))?.money.wallet).toBe(2n * PRICE - 450n);
    await inbox.act(details.id, "refund");
    expect((await reseller.wallet()).posted).toBe(FUNDS - PRICE);
    expect((await reseller.license(licenseId)).expiresAt).toEqual(await endThere(licenseKey));
    await inbox.expectDone(details.id, "refunded");
  });

  test("a part of a cycle is worth its share, and so are cores added to it", async () => {
    const { licenseId, licenseKey } = await reseller.register({ type: "web_server" });
    await changeLicenseCores(reseller.context(), { licenseId, cores: 5 });
    const [, registration, cores] = (await reseller.entries()).map((amount) => -amount);
    const { expiresAt, issuedAt } = await reseller.license(licenseId);
    const half = new Date((expiresAt.getTime() + issuedAt.getTime()) / 2);
    await inbox.editBooks("update sandbox_provider_licenses set expires_at = $2 where reference = $1", [
      licenseKey,
      half,
    ]);
    const { details } = await inbox.theCase("differs");
    const share = ((registration ?? 0n) / 2n + (cores ?? 0n) / 2n).toString();
    expect(details.value).toEqual({ what: "unprovided", amount: share, currency: "USD" });
  });

  test("an automatic renewal that was lost and refunded is made again by the next run", async () => {
    const { licenseId, licenseKey, expiresAt } = await reseller.register();
    await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
    world.setClock(new Date(expiresAt.getTime() - 2 * DAY_MS));
    const run = () => runDueRenewals(world.operator, { resellerId: reseller.id });
    expect(await run()).toMatchObject({ renewed: 1 });
    await inbox.endTerm(licenseKey, -1);
    const { details } = await inbox.theCase("differs");
    await inbox.act(details.id, "refund");
    expect((await reseller.license(licenseId)).expiresAt).toEqual(expiresAt);
    expect(await run()).toMatchObject({ renewed: 1, skipped: 0 });
    expect(await run()).toMatchObject({ renewed: 0 });
  });

  test("a lost renewal after expiry can be refunded, although it set the anchor", async () => {
    const { licenseId, licenseKey } = await reseller.register();
    const { expiresAt } = await reseller.license(licenseId);
    world.setClock(new Date(expiresAt.getTime() + 20 * 86_400_000));
    await renewLicense(reseller.context(), { licenseId });
    await inbox.editBooks("update sandbox_provider_licenses set expires_at = $2 where reference = $1", [
      licenseKey,
      expiresAt,
    ]);
    const { details } = await inbox.theCase("differs");
    await inbox.act(details.id, "refund");
    expect(await reseller.entries()).toEqual([FUNDS, -PRICE, -PRICE, PRICE]);
    const { anchoredAt, expiresAt: end } = await reseller.license(licenseId);
    expect([end, anchoredAt < end]).toEqual([expiresAt, true]);
    await inbox.expectDone(details.id, "refunded");
  });

  test("corrected: the provider gets the paid end, also for a suspended license", async () => {
    const { details } = await inbox.otherTerm(-1);
    world.advance(1_000);
    await suspendLicense(reseller.context(), { licenseId: details.licenseId ?? 0 });
    await inbox.endTerm(details.reference, -1);
    await inbox.compare();
    await inbox.act(details.id, "correct");
    const { expiresAt } = await reseller.license(details.licenseId ?? 0);
    expect(await endThere(details.reference)).toEqual(expiresAt);
    await inbox.expectDone(details.id, "corrected");
  });

  /** Two cycles are missing at a provider that counts its terms. `refuseFrom`: it rejects this request and later ones. */
  async function countedDifference({ refuseFrom = Number.POSITIVE_INFINITY } = {}) {
    const { licenseId, licenseKey } = await reseller.register();
    world.advance(1_000);
    for (let cycle = 0; cycle < 2; cycle += 1) await renewLicense(reseller.context(), { licenseId });
    await inbox.endTerm(licenseKey, -2);
    const sent: ProviderRequest[] = [];
    const upstream: LicenseProvider = {
      ...reportingAs(world.provider, counting, byDay),
      async execute(request, maySend) {
        if (sent.push(request) >= refuseFrom) return { kind: "rejected", message: "This term is the last one." };
        return world.provider.execute(request, maySend);
      },
    };
    const ctx = world.context(actors.admin(null), { providers: new Map([["sandbox", upstream]]) });
    world.advance(1_000);
    await detectDrift(ctx);
    const [found] = await inbox.openCases();
    world.advance(1_000);
    return { licenseId, ctx, sent, caseId: found?.id ?? 0 };
  }

  test("a provider that counts its terms is corrected by one renewal for each missing cycle", async () => {
    const { licenseId, ctx, sent, caseId } = await countedDifference();
    await actOnCase(ctx, { caseId, action: "correct", reason: REASON });
    const { expiresAt } = await reseller.license(licenseId);
    expect(sent.map(({ action }) => action)).toEqual(["set_term", "set_term"]);
    expect(sent[0]?.expiresAt).toBe(sent[1]?.previousExpiresAt);
    expect(new Date(sent[1]?.expiresAt ?? 0)).toEqual(expiresAt);
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
    await inbox.expectDone(caseId, "corrected");
  });

  test("corrected in part if such a provider refuses a later cycle: the admin and the case's history say so", async () => {
    const { ctx, caseId } = await countedDifference({ refuseFrom: 2 });
    await expect(actOnCase(ctx, { caseId, action: "correct", reason: REASON })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/^The provider made only 1 of 2 changes: .*This term is the last one\./),
    });
    const { details, history } = await getCase(ctx, { caseId });
    expect(details.resolvedAt).toBeNull();
    expect(history).toMatchObject([{ reason: REASON, data: { state: "partly" } }]);
  });

  test("a refusal of the first cycle is reported in the provider's words", async () => {
    const { ctx, caseId } = await countedDifference({ refuseFrom: 1 });
    await expect(actOnCase(ctx, { caseId, action: "correct", reason: REASON })).rejects.toMatchObject({
      code: "provider_rejected",
      message: expect.stringContaining("This term is the last one."),
    });
    expect((await getCase(ctx, { caseId })).history).toEqual([]);
  });

  test("such a provider neither reverts renewals nor sells parts of a cycle, and the case shows it", async () => {
    const later = await reseller.register();
    const partly = await reseller.register();
    const { expiresAt } = await reseller.license(partly.licenseId);
    await inbox.endTerm(later.licenseKey, 1);
    await inbox.editBooks("update sandbox_provider_licenses set expires_at = $2 where reference = $1", [
      partly.licenseKey,
      new Date(expiresAt.getTime() - 10 * 86_400_000),
    ]);
    const upstream = reportingAs(world.provider, counting, byDay);
    const ctx = world.context(actors.admin(null), { providers: new Map([["sandbox", upstream]]) });
    world.advance(1_000);
    await detectDrift(ctx);
    const reasons = await Promise.all(
      (await inbox.openCases()).map(async ({ id, reference }) => {
        const { actions } = await getCase(ctx, { caseId: id });
        const rule = actions.find(({ action }) => action === "correct")?.rule;
        return [reference, rule && !rule.possible ? rule.reason : null];
      }),
    );
    expect(Object.fromEntries(reasons)).toEqual({
      [later.licenseKey]: "This provider does not revert renewals.",
      [partly.licenseKey]: "This provider sells whole cycles, and the terms do not differ by a whole number of them.",
    });
  });
});

describe("a bundle's term is its members' term", () => {
  test("a renewal that the provider did for all members is charged once", async () => {
    const instance = await bundle();
    for (const { key } of instance.members) await inbox.endTerm(key, 1);
    await inbox.compare();
    const [found, ...others] = await inbox.openCases();
    expect(others).toHaveLength(instance.members.length - 1);
    await inbox.act(found?.id ?? 0, "charge");
    expect((await reseller.operations()).map(({ kind }) => kind)).toEqual(["bundle_register", "bundle_renew"]);
    for (const { id, key } of instance.members) {
      expect((await reseller.license(id)).expiresAt).toEqual(await endThere(key));
    }
    expect(await inbox.openCases()).toEqual([]);
    await inbox.expectDone(found?.id ?? 0, "adopted");
  });

  test("adopted without a charge, it applies to the bundle and all members, with events", async () => {
    const instance = await bundle();
    for (const { key } of instance.members) await inbox.endTerm(key, 1);
    await inbox.compare();
    const [found] = await inbox.openCases();
    await inbox.act(found?.id ?? 0, "adopt");
    const { expiresAt } = await world.db.prisma.bundleInstance.findFirstOrThrow({ where: { id: instance.id } });
    for (const { id, key } of instance.members) {
      expect((await reseller.license(id)).expiresAt).toEqual(expiresAt);
      expect(await endThere(key)).toEqual(expiresAt);
    }
    const told = (await reseller.eventKinds()).slice(-(instance.members.length + 1));
    expect(told.toSorted()).toEqual(["bundle.renewed", ...instance.members.map(() => "license.renewed")]);
    expect(await inbox.openCases()).toEqual([]);
    await inbox.expectDone(found?.id ?? 0, "adopted");
  });

  test("a renewal of only some members can be corrected, but not adopted or charged", async () => {
    const instance = await bundle();
    await inbox.endTerm(instance.members[0]?.key ?? "", 1);
    const { details } = await inbox.theCase("differs");
    const reason = `The provider renewed 1 of the bundle's ${instance.members.length} members: a bundle is renewed as a whole.`;
    expect(await reasonOf(details.id, "adopt")).toBe(reason);
    expect(await reasonOf(details.id, "charge")).toBe(reason);
    await inbox.act(details.id, "correct");
    await inbox.expectDone(details.id, "corrected");
  });

  test("a renewal lost for one member is refunded as a whole, leaving the others' terms unpaid", async () => {
    const instance = await bundle();
    const { operation } = await renewBundle(reseller.context(), { bundleInstanceId: instance.id });
    const [first, ...others] = instance.members;
    await inbox.endTerm(first?.key ?? "", -1);
    const { details } = await inbox.theCase("differs");
    await inbox.act(details.id, "refund");
    expect((await reseller.entries()).at(-1)).toBe(operation.price);
    for (const { id } of instance.members) {
      expect((await reseller.license(id)).expiresAt).toEqual(await endThere(first?.key ?? ""));
    }
    await inbox.expectDone(
      details.id,
      "refunded",
      others.map(() => "differs"),
    );
  });
});

describe("cores that the provider counts differently", () => {
  const coresThere = (key: string, cores: number) =>
    inbox.editBooks("update sandbox_provider_licenses set cores = $2 where reference = $1", [key, cores]);

  test("more cores are charged for the remaining time, as a change already done", async () => {
    const { licenseId, licenseKey } = await reseller.register({ type: "web_server" });
    await coresThere(licenseKey, 3);
    const { details } = await inbox.theCase("differs");
    const wallet = (await offerOf(details.id, "charge"))?.money.wallet ?? 0n;
    expect(details.value).toEqual({ what: "unpaid", amount: String(-wallet), currency: "USD" });
    await inbox.act(details.id, "charge");
    expect((await reseller.entries()).at(-1)).toBe(wallet);
    expect((await reseller.operations()).at(-1)).toMatchObject({ kind: "license_change_core", plan: { steps: [] } });
    expect(await reseller.license(licenseId)).toMatchObject({ cores: 3 });
    // The charge can be credited like any other.
    await changeLicenseCores(reseller.context(), { licenseId, cores: 1 });
    expect((await reseller.entries()).at(-1)).toBeGreaterThan(0n);
    expect((await reseller.entries()).at(-1)).toBeLessThanOrEqual(-wallet);
    await inbox.expectDone(details.id, "adopted");
  });

  test("fewer cores are credited from their charges", async () => {
    const { licenseId, licenseKey } = await reseller.register({ type: "web_server" });
    await changeLicenseCores(reseller.context(), { licenseId, cores: 5 });
    const charged = -((await reseller.entries()).at(-1) ?? 0n);
    await coresThere(licenseKey, 3);
    const { details } = await inbox.theCase("differs");
    expect(details.value?.what).toBe("unprovided");
    await inbox.act(details.id, "refund");
    const credited = (await reseller.entries()).at(-1) ?? 0n;
    expect(credited).toBeGreaterThan(0n);
    expect(credited).toBeLessThanOrEqual(charged / 2n);
    expect(await reseller.license(licenseId)).toMatchObject({ cores: 3 });
    await inbox.expectDone(details.id, "refunded");
  });

  test("with less time, too: the time is refunded first, and the cores get their own case", async () => {
    const { licenseId, licenseKey } = await reseller.register({ type: "web_server" });
    await changeLicenseCores(reseller.context(), { licenseId, cores: 5 });
    world.advance(1_000);
    await renewLicense(reseller.context(), { licenseId });
    const renewal = -((await reseller.entries()).at(-1) ?? 0n);
    await inbox.endTerm(licenseKey, -1);
    await coresThere(licenseKey, 2);
    const { details } = await inbox.theCase("differs");
    expect(details.facts.differing).toEqual(["cores", "term"]);
    await inbox.act(details.id, "refund");
    expect((await reseller.entries()).at(-1)).toBe(renewal);
    const { details: cores } = await inbox.theCase("differs");
    expect(cores.facts.differing).toEqual(["cores"]);
    await inbox.act(cores.id, "refund");
    expect(await reseller.license(licenseId)).toMatchObject({ cores: 2 });
    await inbox.expectDone(cores.id, "refunded");
  });
});
