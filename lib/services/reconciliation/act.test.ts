import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { decideCase } from "#lib/db/reconciliation/action.ts";
import {
  actionRules,
  type CaseAction,
  type CaseKind,
  type CaseResolution,
  caseActions,
  caseKinds,
} from "#lib/domain/reconciliation.ts";
import { getBundleInstance } from "#lib/services/bundle/get.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf, ip, placeLicense, rehearsed } from "#tests/support/faults.ts";
import { createInbox, FUNDS, type Inbox, PRICE } from "#tests/support/inbox.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { actOnCase } from "./act.ts";
import { getCase } from "./get-case.ts";

let world: World;
let inbox: Inbox;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  inbox = createInbox(world);
});
beforeEach(async () => {
  reseller = await inbox.begin();
});
afterAll(() => world.close());

/** Audit entries about a case. */
const requestsOf = async (caseId: number) =>
  (await world.db.prisma.auditEntry.findMany({ where: { subject: `case:${caseId}` } })).map(
    ({ requestId }) => requestId,
  );

const resolutions = {
  ask_again: "settled",
  adopt: "adopted",
  charge: "adopted",
  correct: "corrected",
  refund: "refunded",
  dismiss: "dismissed",
} as const satisfies Record<CaseAction, CaseResolution>;

describe.each(caseKinds)("%s", (kind) => {
  test.each(caseActions)(
    "%s does what its rule says, once and under the request that asked for it, or is refused with the rule's reason",
    async (action) => {
      const { details, actions } = await inbox.situationFor(kind, action);
      const offer = actions.find((offered) => offered.action === action);
      if (!offer) throw new Error(`${action} is not in the table`);
      expect(offer.rule.possible).toBe(actionRules[kind][action].possible);
      if (!offer.rule.possible) {
        await expect(inbox.act(details.id, action)).rejects.toMatchObject({
          code: "state_invalid",
          message: offer.rule.reason,
        });
        return;
      }
      const before = await reseller.wallet();
      await inbox.act(details.id, action);
      const after = await reseller.wallet();
      const settledByAsking = action === "ask_again" ? -PRICE : offer.money.wallet;
      expect(after.posted - before.posted).toBe(settledByAsking);
      expect(await codeOf(inbox.act(details.id, action))).toBe("conflict");
      const resolution = resolutions[action];
      // The provider did it and the money was released, which is a new difference.
      expect(await requestsOf(details.id)).toEqual(["req_test"]);
      await inbox.expectDone(
        details.id,
        resolution,
        kind === "unknown_outcome" && action === "refund" ? ["late_success"] : [],
      );
    },
  );
});

describe("effects of the actions", () => {
  test("adopting an unknown outcome charges it and activates the license", async () => {
    const { details } = await inbox.situations.unknown_outcome();
    await inbox.act(details.id, "adopt");
    expect(await reseller.entries()).toEqual([FUNDS, -PRICE]);
    expect(await reseller.wallet()).toMatchObject({ held: 0n });
    expect((await reseller.license(details.licenseId ?? 0)).provisionedAt).not.toBeNull();
    expect(await reseller.eventKinds()).toEqual(["license.activated", "operation.settled"]);
  });

  test("asking without a clear answer keeps the case and the hold, and adds to the history", async () => {
    const { details } = await inbox.situations.unknown_outcome();
    const unreachable = async () => ({ kind: "unreachable", message: "away" }) as const;
    const providers = new Map([["sandbox", { ...world.provider, lookUp: unreachable }]]);
    const ctx = world.context(actors.admin(null), { providers });
    expect(await actOnCase(ctx, { caseId: details.id, action: "ask_again", reason: "again" })).toEqual({
      resolution: "open",
    });
    expect(await reseller.wallet()).toMatchObject({ held: PRICE });
    expect((await getCase(inbox.admin(), { caseId: details.id })).history).toMatchObject([
      { action: "reconciliation.ask_again", reason: "again", data: { state: "unknown" } },
    ]);
    expect(await requestsOf(details.id)).toEqual(["req_test"]);
  });

  test("a refund returns the term, renewals ahead and later charges, less credits, and ends the license", async () => {
    const { licenseId, licenseKey } = await reseller.register({ type: "web_server" });
    world.advance(1_000);
    await renewLicense(reseller.context(), { licenseId });
    world.advance(1_000);
    await changeLicenseCores(reseller.context(), { licenseId, cores: 5 });
    world.advance(1_000);
    await changeLicenseCores(reseller.context(), { licenseId, cores: 2 });
    const [, ...charges] = await reseller.entries();
    await inbox.forget(licenseKey);
    const { details, actions } = await inbox.theCase("charged_not_provisioned");
    const paid = -charges.reduce((sum, amount) => sum + amount, 0n);
    expect(actions.find(({ action }) => action === "refund")?.money.wallet).toBe(paid);
    const { posted } = await reseller.wallet();
    await inbox.act(details.id, "refund");
    expect((await reseller.wallet()).posted - posted).toBe(paid);
    expect((await reseller.license(licenseId)).terminatedAt).not.toBeNull();
    expect((await reseller.eventKinds()).at(-1)).toBe("license.terminated");
    await inbox.expectDone(details.id, "refunded");
  });

  test("reviving a license charges exactly what was refunded", async () => {
    const { details } = await inbox.situations.provisioned_not_charged();
    await inbox.act(details.id, "adopt");
    expect(await reseller.entries()).toEqual([FUNDS, -PRICE, PRICE, -PRICE]);
    expect((await reseller.license(details.licenseId ?? 0)).terminatedAt).toBeNull();

    const other = await reseller.register();
    await inbox.forget(other.licenseKey);
    const ended = await inbox.theCase("charged_not_provisioned");
    await inbox.act(ended.details.id, "adopt");
    await inbox.hold(other.licenseKey, (await reseller.license(other.licenseId)).ipAddress);
    const back = await inbox.theCase("provisioned_not_charged");
    expect(back.actions.find(({ action }) => action === "adopt")?.money.wallet).toBe(0n);
    await inbox.act(back.details.id, "adopt");
    expect((await reseller.entries()).slice(4)).toEqual([-PRICE]);
    await inbox.expectDone(back.details.id, "adopted");
  });

  test("reviving beyond the balance says what all of its charges need together", async () => {
    const { licenseId, licenseKey } = await reseller.register();
    world.advance(1_000);
    await renewLicense(reseller.context(), { licenseId });
    await inbox.forget(licenseKey);
    await inbox.act((await inbox.theCase("charged_not_provisioned")).details.id, "refund");
    await inbox.hold(licenseKey, (await reseller.license(licenseId)).ipAddress);
    const { details } = await inbox.theCase("provisioned_not_charged");
    const setBalance = (posted: bigint) =>
      inbox.editBooks("update wallets set posted = $2 where reseller_id = $1", [reseller.id, posted]);
    await setBalance(PRICE);
    await expect(inbox.act(details.id, "adopt")).rejects.toThrow("$29.00");
    await setBalance(FUNDS);
    await inbox.act(details.id, "adopt");
    await inbox.expectDone(details.id, "adopted");
  });

  test("adopting a late registration restores the license with its id and key", async () => {
    const { details } = await inbox.situations.late_success();
    await inbox.act(details.id, "adopt");
    expect(await reseller.license(details.licenseId ?? 0)).toMatchObject({
      key: details.reference,
      ipAddress: rehearsed.losesRequest,
      terminatedAt: null,
      openOperationId: null,
    });
    expect(await reseller.operations()).toMatchObject([{ state: "succeeded", price: PRICE }]);
    expect(await reseller.entries()).toEqual([FUNDS, -PRICE]);
  });

  test("a late change of address is distinguished from a difference, and adopted with its operation", async () => {
    const { licenseId, licenseKey } = await reseller.register();
    world.advance(1_000);
    await changeLicenseIp(reseller.context(), { licenseId, newIp: ip(rehearsed.losesRequest) });
    await inbox.refuseWhatWasLost();
    await inbox.editBooks("update sandbox_provider_licenses set ip_address = $2 where reference = $1", [
      licenseKey,
      rehearsed.losesRequest,
    ]);
    const { details } = await inbox.theCase("late_success");
    await inbox.act(details.id, "adopt");
    expect(await reseller.license(licenseId)).toMatchObject({ ipAddress: rehearsed.losesRequest });
    expect((await reseller.eventKinds()).slice(-2)).toEqual(["license.ip_changed", "operation.settled"]);
    await inbox.expectDone(details.id, "adopted");
  });

  test("adopting a difference copies address, cores and state", async () => {
    const { licenseId, licenseKey } = await reseller.register({ type: "web_server" });
    const address = world.freshIp();
    await inbox.editBooks(
      "update sandbox_provider_licenses set ip_address = $2, cores = 7, state = 'suspended' where reference = $1",
      [licenseKey, address],
    );
    const { details } = await inbox.theCase("differs");
    expect(details.facts.differing).toEqual(["address", "cores", "state"]);
    await inbox.act(details.id, "adopt");
    expect(await reseller.license(licenseId)).toMatchObject({ ipAddress: address, cores: 7, suspendedBy: "admin" });
    expect((await reseller.eventKinds()).slice(-3).sort()).toEqual([
      "license.cores_changed",
      "license.ip_changed",
      "license.suspended",
    ]);
    await inbox.expectDone(details.id, "adopted");
  });
});

describe.each(["late_success", "provisioned_not_charged"] as const)("a license restored from %s", (kind) => {
  const externalId = "order-1004";
  const restored = async ({ details }: Awaited<ReturnType<typeof getCase>>) => {
    await inbox.act(details.id, "adopt");
    await inbox.expectDone(details.id, "adopted");
    return reseller.license(details.licenseId ?? 0);
  };

  test("keeps its external id (contract 3.17), and an event reports that it is active", async () => {
    const found = await inbox.situations[kind]({ externalId });
    const events = (await reseller.eventKinds()).length;
    expect(await restored(found)).toMatchObject({ externalId, terminatedAt: null });
    expect((await reseller.eventKinds()).slice(events)).toContain("license.activated");
  });

  test("loses its external id to the license that has it now (contract 3.17)", async () => {
    const found = await inbox.situations[kind]({ externalId });
    const { licenseId } = await reseller.register({ externalId });
    expect(await restored(found)).toMatchObject({ externalId: null, terminatedAt: null });
    expect(await reseller.license(licenseId)).toMatchObject({ externalId, terminatedAt: null });
  });

  test("stays ended if its product has another provider or code since, under which nobody has it", async () => {
    const { details } = await inbox.situations[kind]();
    await inbox.editBooks(
      "insert into providers (name, kind) values ('elsewhere', 'sandbox') on conflict (name) do nothing",
      [],
    );
    const move = (from: string, to: string) =>
      inbox.editBooks("update products set provider = $2 where provider = $1", [from, to]);
    await move("sandbox", "elsewhere");
    expect(await codeOf(inbox.act(details.id, "adopt"))).toBe("state_invalid");
    await move("elsewhere", "sandbox");
    const rename = (from: string, to: string) =>
      inbox.editBooks("update products set provider_sku = replace(provider_sku, $1, $2)", [from, to]);
    await rename("panel", "board");
    expect(await codeOf(inbox.act(details.id, "adopt"))).toBe("state_invalid");
    await rename("board", "panel");
    await inbox.act(details.id, "adopt");
    await inbox.expectDone(details.id, "adopted");
  });
});

describe("bundles change as a whole", () => {
  async function bundle() {
    const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
    return registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  }

  test("a refund for one missing member ends the bundle and refunds its price", async () => {
    const { instance } = await bundle();
    const [first, ...others] = instance.members;
    await inbox.forget(first?.key ?? "");
    const { details } = await inbox.theCase("charged_not_provisioned");
    await inbox.act(details.id, "refund");
    expect((await reseller.wallet()).posted).toBe(FUNDS);
    for (const { id } of instance.members) expect((await reseller.license(id)).terminatedAt).not.toBeNull();
    await inbox.expectDone(
      details.id,
      "refunded",
      others.map(() => "provisioned_not_charged"),
    );
  });

  test("reviving one member revives the bundle, and charges its price again", async () => {
    const { instance } = await bundle();
    const { posted } = await reseller.wallet();
    const [first] = instance.members;
    await inbox.forget(first?.key ?? "");
    await inbox.act((await inbox.theCase("charged_not_provisioned")).details.id, "refund");
    await inbox.hold(first?.key ?? "", instance.ipAddress);
    await inbox.compare();
    const [found] = await inbox.openCases();
    await inbox.act(found?.id ?? 0, "adopt");
    expect((await reseller.wallet()).posted).toBe(posted);
    const revived = await getBundleInstance(reseller.context(), { bundleInstanceId: instance.id });
    expect(revived).toMatchObject({
      terminatedAt: null,
      members: instance.members.map(() => ({ terminatedAt: null })),
    });
    await inbox.expectDone(found?.id ?? 0, "adopted");
  });

  test("what each action changes in the whole bundle is said with its name and number of licenses", async () => {
    const { instance } = await bundle();
    const [{ key } = { key: "" }] = instance.members;
    const namesWhole = async (kind: CaseKind, what = "This") => {
      const { details, actions } = await inbox.theCase(kind);
      expect(details.bundle).toEqual({ id: instance.id, name: "Performance Server", licenses: 3 });
      const whole = ` ${what} applies to all 3 licenses of bundle ${instance.id} (Performance Server).`;
      return actions.filter(({ rule }) => rule.possible && rule.effect.endsWith(whole)).map(({ action }) => action);
    };
    await inbox.editBooks("update sandbox_provider_licenses set product = 'other' where reference = $1", [key]);
    expect(await namesWhole("differs")).toEqual(["refund"]);
    await inbox.editBooks("update sandbox_provider_licenses set product = 'control-panel' where reference = $1", [key]);
    world.advance(1_000);
    await renewBundle(reseller.context(), { bundleInstanceId: instance.id });
    await inbox.endTerm(key, -1);
    expect(await namesWhole("differs", "The term")).toEqual(["adopt", "refund"]);
    await inbox.endTerm(key, 1);
    await inbox.forget(key);
    expect(await namesWhole("charged_not_provisioned")).toEqual(["adopt", "refund"]);
  });

  test("a different address of one member cannot be adopted", async () => {
    const { instance } = await bundle();
    await inbox.editBooks("update sandbox_provider_licenses set ip_address = '198.18.250.1' where reference = $1", [
      instance.members[0]?.key,
    ]);
    const { details } = await inbox.theCase("differs");
    expect(await codeOf(inbox.act(details.id, "adopt"))).toBe("state_invalid");
  });

  test("a late bundle is adopted only if the provider has all of it, once for all its cases", async () => {
    const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
    const { instance } = await registerBundle(reseller.context(), {
      bundleId,
      cycleId,
      ipAddress: ip(rehearsed.losesRequest),
    });
    await inbox.refuseWhatWasLost();
    const [first, ...others] = instance.members;
    await inbox.hold(first?.key ?? "", rehearsed.losesRequest);
    const alone = await inbox.theCase("late_success");
    expect(await codeOf(inbox.act(alone.details.id, "adopt"))).toBe("state_invalid");
    const adoptUnchecked = ({ id, fingerprint }: typeof alone.details) => {
      const by = { actor: "user:2", requestId: "", now: world.now() };
      return decideCase(world.db, "adopt_late_success", {
        caseId: id,
        fingerprint,
        reason: "unchecked",
        agreedWallet: 0n,
        by,
      });
    };
    expect(await codeOf(adoptUnchecked(alone.details))).toBe("state_invalid");
    await inbox.forget(first?.key ?? "");
    for (const { key } of others) await inbox.hold(key, rehearsed.losesRequest);
    await inbox.compare();
    const [rest] = await inbox.openCases();
    const { details } = await getCase(inbox.admin(), { caseId: rest?.id ?? 0 });
    expect(await codeOf(adoptUnchecked(details))).toBe("state_invalid");
    await inbox.hold(first?.key ?? "", rehearsed.losesRequest);
    await inbox.compare();
    await inbox.act(details.id, "adopt");
    const [operation] = await reseller.operations();
    expect(operation).toMatchObject({ state: "succeeded" });
    expect((await reseller.wallet()).posted).toBe(FUNDS - (operation?.price ?? 0n));
    for (const { id } of instance.members) expect((await reseller.license(id)).provisionedAt).not.toBeNull();
    await inbox.editBooks(
      "update sandbox_provider_licenses s set cores = l.cores from licenses l where l.key = s.reference",
      [],
    );
    await inbox.expectDone(details.id, "adopted");
  });

  test("a late renewal is adopted only if no member has changed, and charged once; the next one can follow", async () => {
    const { instance, operation } = await bundle();
    const place = (address: string) => Promise.all(instance.members.map(({ id }) => placeLicense(world, id, address)));
    const renew = () => renewBundle(reseller.context(), { bundleInstanceId: instance.id });
    await place(rehearsed.losesRequest);
    world.advance(1_000);
    await renew();
    await inbox.refuseWhatWasLost();
    await place(instance.ipAddress);
    for (const { key } of instance.members) await inbox.endTerm(key, 1);
    await inbox.compare();
    const cases = await inbox.openCases();
    expect(cases.map(({ kind }) => kind)).toEqual(instance.members.map(() => "late_success"));
    const id = cases[0]?.id ?? 0;
    const [member] = instance.members;
    const change = (by: string) =>
      inbox.editBooks("update licenses set updated_at = updated_at + $2::interval where id = $1", [member?.id, by]);
    await change("1 day");
    expect(await codeOf(inbox.act(id, "adopt"))).toBe("state_invalid");
    await change("-1 day");
    await inbox.act(id, "adopt");
    expect((await reseller.wallet()).posted).toBe(FUNDS - 2n * operation.price);
    await inbox.expectDone(id, "adopted");
    await renew();
    expect((await reseller.wallet()).posted).toBe(FUNDS - 3n * operation.price);
  });
});
