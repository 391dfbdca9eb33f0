import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseHostname } from "#lib/domain/hostname.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { actionRules, caseActions, caseKinds } from "#lib/domain/reconciliation.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseNotes } from "#lib/services/license/set-notes.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { updateLicense } from "#lib/services/license/update.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf, rehearsed } from "#tests/support/faults.ts";
import { createInbox, FUNDS, type Inbox, REASON } from "#tests/support/inbox.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { actOnCase } from "./act.ts";
import { detectDrift } from "./detect-drift.ts";
import { getCase } from "./get-case.ts";
import { listCases, summarizeInbox } from "./list-cases.ts";

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

test("books that agree open no case, and the summary counts the licenses compared", async () => {
  const { licenseId } = await reseller.register();
  await suspendLicense(reseller.context(), { licenseId });
  await reseller.register();
  expect(await inbox.compare()).toMatchObject({ outcome: "compared", differences: 0 });
  expect(await inbox.openCases()).toEqual([]);
  const { open, comparisons } = await summarizeInbox(inbox.admin());
  expect(open).toBe(0);
  expect(comparisons).toMatchObject([{ provider: "sandbox", heldCount: 2, failureMessage: null }]);
});

describe("not a difference", () => {
  test("an open operation, and a change since the comparison began", async () => {
    const { licenseKey } = await reseller.register({ ip: rehearsed.losesAnswer });
    await inbox.forget(licenseKey);
    const fresh = await reseller.register();
    await inbox.forget(fresh.licenseKey);
    await detectDrift(world.operator);
    expect(await inbox.openCases()).toEqual([]);
  });

  test("an end, here or at the provider", async () => {
    const { licenseId, licenseKey } = await reseller.register();
    await inbox.forget(licenseKey);
    await inbox.hold("somebody's", world.freshIp());
    const { expiresAt } = await reseller.license(licenseId);
    const now = world.now();
    world.setClock(new Date(expiresAt.getTime() + 86_400_000));
    await inbox.compare();
    expect(await inbox.openCases()).toEqual([]);
    world.setClock(now);
  });
});

describe("notes, labels and a host name, which a reseller can write at any moment,", () => {
  async function write(licenseId: number, licenseKey: LicenseKey, text: string) {
    await setLicenseNotes(reseller.context(), { licenseId, notes: text });
    const labels = { customerReference: text };
    const hostname = parseHostname(`${text}.example`) ?? undefined;
    await updateLicense(reseller.context(), { licenseKey, labels, hostname });
  }

  test("do not hide a license from a comparison", async () => {
    const { licenseId, licenseKey } = await reseller.register();
    await inbox.forget(licenseKey);
    world.advance(1_000);
    const meanwhile: LicenseProvider = {
      ...world.provider,
      async *bookPages(findKnown) {
        yield* world.provider.bookPages(findKnown);
        await write(licenseId, licenseKey, "during");
      },
    };
    await detectDrift(world.context(actors.admin(null), { providers: new Map([["sandbox", meanwhile]]) }));
    expect(await inbox.openCases()).toMatchObject([{ kind: "charged_not_provisioned", reference: licenseKey }]);
  });

  test("do not keep an admin from acting on a case", async () => {
    const { details } = await inbox.situations.charged_not_provisioned();
    world.advance(1_000);
    await write(details.licenseId ?? 0, details.reference as LicenseKey, "after");
    await inbox.act(details.id, "refund");
    await inbox.expectDone(details.id, "refunded");
  });
});

describe("cases", () => {
  test("a difference has one case, which closes automatically when the difference is gone", async () => {
    const { details } = await inbox.situations.charged_not_provisioned();
    await inbox.compare();
    expect(await inbox.openCases()).toMatchObject([{ id: details.id, firstSeenAt: details.firstSeenAt }]);
    await inbox.hold(details.reference, details.facts.ours?.address ?? "");
    await inbox.compare();
    expect((await getCase(inbox.admin(), { caseId: details.id })).details).toMatchObject({ resolution: "agrees" });
  });

  test("a case that cannot be compared now stays open", async () => {
    const { details } = await inbox.situations.charged_not_provisioned();
    await world.db.query(sql("update licenses set updated_at = $2 where id = $1"), [
      details.licenseId,
      new Date(world.now().getTime() + 5_000),
    ]);
    await inbox.compare();
    expect(await inbox.openCases()).toHaveLength(1);
  });

  test("a dismissed case reopens when its facts change", async () => {
    const { details } = await inbox.situations.differs();
    await inbox.act(details.id, "dismiss");
    await inbox.compare();
    expect(await inbox.openCases()).toEqual([]);
    await inbox.editBooks("update sandbox_provider_licenses set ip_address = $2 where reference = $1", [
      details.reference,
      world.freshIp(),
    ]);
    await inbox.compare();
    expect(await inbox.openCases()).toHaveLength(1);
  });

  test("a dismissed difference is a case again when it comes back after both sides agreed", async () => {
    const { details } = await inbox.situations.differs();
    await inbox.act(details.id, "dismiss");
    const setState = (state: string) =>
      inbox.editBooks(
        "update sandbox_provider_licenses s set state = $2, ip_address = l.ip_address from licenses l where l.key = s.reference and l.key = $1",
        [details.reference, state],
      );
    await inbox.compare();
    await inbox.compare();
    expect((await getCase(inbox.admin(), { caseId: details.id })).details).toMatchObject({ resolution: "dismissed" });
    await setState("active");
    await inbox.compare();
    expect((await getCase(inbox.admin(), { caseId: details.id })).details).toMatchObject({ resolution: "agrees" });
    await inbox.editBooks(
      "update sandbox_provider_licenses set state = 'suspended', ip_address = $2 where reference = $1",
      [details.reference, details.facts.provider?.address],
    );
    await inbox.compare();
    expect(await inbox.openCases()).toMatchObject([{ kind: "differs", reference: details.reference }]);
  });

  test("a dismissed difference is a case again when another term is paid", async () => {
    const { licenseKey } = await reseller.register();
    await inbox.editBooks("update sandbox_provider_licenses set state = 'suspended' where reference = $1", [
      licenseKey,
    ]);
    const { details } = await inbox.theCase("differs");
    await inbox.act(details.id, "dismiss");
    await renewLicense(reseller.context(), { licenseId: details.licenseId ?? 0 });
    await inbox.compare();
    expect(await inbox.openCases()).toMatchObject([{ facts: { differing: ["state"] } }]);
    expect((await getCase(inbox.admin(), { caseId: details.id })).details).toMatchObject({ resolution: "dismissed" });
  });

  test("an unreadable provider changes only unknown outcomes", async () => {
    const { details } = await inbox.situations.charged_not_provisioned();
    const away: LicenseProvider = {
      ...world.provider,
      bookPages: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("x")) }) }),
    };
    const ctx = world.context(actors.admin(null), { providers: new Map([["sandbox", away]]) });
    await expect(detectDrift(ctx)).rejects.toThrow("x");
    expect(await inbox.openCases()).toMatchObject([{ id: details.id }]);
    expect((await summarizeInbox(inbox.admin())).comparisons).toMatchObject([{ failureMessage: expect.any(String) }]);
    expect(await inbox.compare()).toMatchObject({ outcome: "compared" });
  });

  test("are listed by kind, provider and reseller, in both directions", async () => {
    for (let n = 0; n < 5; n += 1) await inbox.hold(`garbage ${n}`, world.freshIp());
    const { licenseKey } = await reseller.register();
    await inbox.forget(licenseKey);
    await inbox.compare();
    const list = (filter: object, page: object = {}) =>
      listCases(inbox.admin(), {
        filter: { resolved: false, ...filter },
        before: null,
        after: null,
        limit: 2,
        ...page,
      });
    expect((await list({ kind: "charged_not_provisioned" })).rows).toHaveLength(1);
    expect((await list({ resellerId: reseller.id })).rows).toHaveLength(1);
    expect((await list({ provider: "nobody" })).rows).toEqual([]);
    const first = await list({ kind: "unknown_at_ours" });
    const second = await list({ kind: "unknown_at_ours" }, { before: first.next });
    const third = await list({ kind: "unknown_at_ours" }, { before: second.next });
    expect([first, second, third].map(({ rows: cases }) => cases.length)).toEqual([2, 2, 1]);
    expect([first.previous, third.next]).toEqual([null, null]);
    expect((await list({ kind: "unknown_at_ours" }, { after: second.previous })).rows).toEqual(first.rows);
  });
});

const races = caseKinds.flatMap((kind) =>
  caseActions
    .filter((action) => action !== "ask_again" && actionRules[kind][action].possible)
    .map((action) => ({ kind, action })),
);

describe("admins and others", () => {
  test.each(races)(
    "of three admins who $action $kind at once, one succeeds and the others get a conflict",
    async ({ kind, action }) => {
      const { details } = await inbox.situationFor(kind, action);
      world.advance(1_000);
      const all = await Promise.allSettled(
        [1, 2, 3].map(() => actOnCase(inbox.admin(), { caseId: details.id, action, reason: REASON })),
      );
      expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const refusals = all.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
      expect(refusals).toEqual(["conflict", "conflict"]);
      expect((await getCase(inbox.admin(), { caseId: details.id })).history).toHaveLength(1);
      await expectBooksToAgree(world.db);
    },
  );

  test("an action on outdated facts is a conflict", async () => {
    const { details } = await inbox.situations.differs();
    await inbox.editBooks("update sandbox_provider_licenses set ip_address = $2 where reference = $1", [
      details.reference,
      world.freshIp(),
    ]);
    await inbox.compare();
    const stale = { caseId: details.id, action: "adopt", reason: "x", fingerprint: details.fingerprint } as const;
    expect(await codeOf(actOnCase(inbox.admin(), stale))).toBe("conflict");
  });

  test("a license that changed since the comparison is not changed", async () => {
    const { details } = await inbox.situations.differs();
    world.advance(1_000);
    await suspendLicense(reseller.context(), { licenseId: details.licenseId ?? 0 });
    expect(await codeOf(inbox.act(details.id, "adopt"))).toBe("state_invalid");
    expect(await inbox.openCases()).toHaveLength(1);
  });

  test("a missing license that was renewed since is not refunded: the provider has it again", async () => {
    const { details } = await inbox.situations.charged_not_provisioned();
    world.advance(1_000);
    await renewLicense(reseller.context(), { licenseId: details.licenseId ?? 0 });
    expect(await codeOf(inbox.act(details.id, "refund"))).toBe("state_invalid");
    await inbox.compare();
    expect((await getCase(inbox.admin(), { caseId: details.id })).details.resolution).toBe("agrees");
  });

  test.each(["late_success", "provisioned_not_charged"] as const)(
    "adopting %s beyond the balance is rejected and changes nothing",
    async (kind) => {
      const { details } = await inbox.situations[kind]();
      await world.db.query(sql("update wallets set posted = 100 where reseller_id = $1"), [reseller.id]);
      expect(await codeOf(inbox.act(details.id, "adopt"))).toBe("insufficient_balance");
      expect(await inbox.openCases()).toHaveLength(1);
      expect((await getCase(inbox.admin(), { caseId: details.id })).history).toEqual([]);
      await world.db.query(sql("update wallets set posted = $2 where reseller_id = $1"), [reseller.id, FUNDS]);
    },
  );

  test("a reason is required, and resellers are rejected", async () => {
    const { details } = await inbox.situations.charged_not_provisioned();
    expect(await codeOf(inbox.act(details.id, "refund", "  "))).toBe("parameters_invalid");
    for (const ctx of [reseller.context(), world.context(actors.user(reseller.id))]) {
      expect(await codeOf(actOnCase(ctx, { caseId: details.id, action: "refund", reason: "mine" }))).toBe(
        "permission_denied",
      );
      expect(await codeOf(getCase(ctx, { caseId: details.id }))).toBe("permission_denied");
      expect(await codeOf(detectDrift(ctx))).toBe("permission_denied");
      expect(await codeOf(summarizeInbox(ctx))).toBe("permission_denied");
      const page = { filter: { resolved: false }, before: null, after: null, limit: 1 };
      expect(await codeOf(listCases(ctx, page))).toBe("permission_denied");
    }
  });
});
