import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ProviderAction, providerActions } from "#lib/domain/provider-request.ts";
import { type CaseKind, type CaseValue, comparedFacts, type PaidFact, paidFacts } from "#lib/domain/reconciliation.ts";
import { compareEnd, type TermBasis } from "#lib/domain/reported-term.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import { actors } from "#tests/support/actors.ts";
import { ip, placeLicense, rehearsed } from "#tests/support/faults.ts";
import { createInbox, type Inbox } from "#tests/support/inbox.ts";
import { byDay, counting, type Retell, reportingAs } from "#tests/support/other-books.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { detectDrift } from "./detect-drift.ts";

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

const DAY_MS = 86_400_000;

async function register() {
  const { licenseId, licenseKey } = await reseller.register({ type: "web_server" });
  world.advance(1_000);
  return { licenseId, key: licenseKey };
}

/** Compares with these books instead of the sandbox's. */
async function compareWith(provider: LicenseProvider, { complete = false } = {}) {
  world.advance(1_000);
  const ctx = world.context(actors.admin(null), { providers: new Map([["sandbox", provider]]) });
  const [summary] = await detectDrift(ctx, { complete });
  return summary;
}

const edit = (set: string) => (key: string) =>
  inbox.editBooks(`update sandbox_provider_licenses set ${set} where reference = $1`, [key]);

describe("every paid fact is compared", () => {
  /** Changes each fact in the provider's books; total by type. */
  const falsify = {
    existence: (key) => inbox.forget(key),
    product: edit("product = 'control-panel'"),
    address: edit("ip_address = '198.18.99.99'"),
    cores: edit("cores = 9"),
    state: edit("state = 'suspended'"),
    // Of 31 days.
    term: edit("expires_at = expires_at - interval '7 days'"),
  } as const satisfies Record<PaidFact, (key: string) => Promise<unknown>>;

  /** Values for a monthly web server at $18.00, and $6.50 for each further core. */
  const worth = {
    existence: { what: "unprovided", amount: "1800" },
    product: { what: "unprovided", amount: "1800" },
    address: { what: "unprovided", amount: "1800" },
    cores: { what: "unpaid", amount: "5200" },
    state: { what: "unprovided", amount: "1800" },
    term: { what: "unprovided", amount: "406" },
  } as const satisfies Record<PaidFact, { readonly what: CaseValue["what"]; readonly amount: string }>;

  test.each(paidFacts)("%s", async (fact) => {
    const { key } = await register();
    expect(await inbox.compare()).toMatchObject({ differences: 0 });
    await falsify[fact](key);
    await inbox.compare();
    const [found, ...others] = await inbox.openCases();
    expect(others).toEqual([]);
    expect(found?.kind).toBe(fact === "existence" ? "charged_not_provisioned" : "differs");
    expect(found?.facts.differing).toEqual(fact === "existence" ? [] : [fact]);
    expect(found?.value).toEqual({ ...worth[fact], currency: "USD" });
  });

  test("all of them at once are one case", async () => {
    const { key } = await register();
    for (const fact of comparedFacts) await falsify[fact](key);
    await inbox.compare();
    expect((await inbox.openCases()).map(({ facts }) => facts.differing)).toEqual([comparedFacts]);
  });
});

describe("a fact that the books do not report", () => {
  const silent = {
    product: { product: undefined },
    address: { address: undefined },
    cores: { cores: undefined },
    state: { state: undefined },
    term: { term: undefined },
  } as const;

  test.each(comparedFacts)("%s is counted as unreported, and is no difference", async (fact) => {
    const { key, licenseId } = await register();
    await edit("product = 'x', ip_address = '198.18.99.98', cores = 9, state = 'suspended'")(key);
    const license = await reseller.license(licenseId);
    const truth = {
      product: "web-server",
      address: license.ipAddress,
      cores: license.cores,
      state: "active" as const,
    };
    await inbox.editBooks("update sandbox_provider_licenses set expires_at = $2 where reference = $1", [
      key,
      license.expiresAt,
    ]);
    const agreeing = reportingAs(world.provider, world.provider.traits, () => ({ ...truth, ...silent[fact] }));
    expect(await compareWith(agreeing)).toMatchObject({ differences: 0, unreported: { [fact]: 1 } });
  });

  test("does not close its case", async () => {
    const { key } = await register();
    await edit("cores = 9")(key);
    await inbox.compare();
    const shy = reportingAs(world.provider, world.provider.traits, () => ({ cores: undefined }));
    await compareWith(shy);
    expect(await inbox.openCases()).toMatchObject([{ facts: { differing: ["cores"] } }]);
    await edit("cores = 1")(key);
    await inbox.compare();
    expect(await inbox.openCases()).toEqual([]);
  });
});

describe("ends of terms", () => {
  const offsets = [-33, -5, -4.01, -3.99, -1, -0.4, 0, 0.4, 1, 3.99, 4.01, 5, 28, 31];
  const tell: Record<"second" | "day", Retell> = { second: () => ({}), day: byDay };

  test.each([
    ["asked", "second"],
    ["asked", "day"],
    ["counted", "second"],
    ["counted", "day"],
  ] as const)("%s, reported by the %s: the statement agrees with `compareEnd`", async (terms, unit) => {
    const expected: string[] = [];
    for (const offset of offsets) {
      const { key, licenseId } = await register();
      const { expiresAt } = await reseller.license(licenseId);
      const there = new Date(expiresAt.getTime() + Math.round(offset * DAY_MS));
      await inbox.editBooks("update sandbox_provider_licenses set expires_at = $2 where reference = $1", [key, there]);
      const at = there.toISOString();
      const reported =
        unit === "day"
          ? { expires_at: null, expires_on: at.slice(0, 10) }
          : { expires_at: `${at.slice(0, 19)}Z`, expires_on: null };
      if (compareEnd(expiresAt, reported, terms satisfies TermBasis) !== "same") expected.push(key);
    }
    expect(expected.length).toBeGreaterThan(3);
    await compareWith(reportingAs(world.provider, { terms, endsBySuspending: false }, tell[unit]));
    const cases = await inbox.openCases();
    expect(cases.map(({ reference }) => reference).toSorted()).toEqual(expected.toSorted());
  });

  test("a provider with its own clock agrees through renewals at the ends of months", async () => {
    world.setClock(`${world.now().getUTCFullYear() + 1}-01-30T23:59:55Z`);
    const { licenseId, key } = await register();
    const shifted = reportingAs(world.provider, counting, ({ term }) =>
      term !== undefined && "expiresAt" in term
        ? { term: { expiresOn: new Date(Date.parse(term.expiresAt) + 10_000).toISOString().slice(0, 10) } }
        : {},
    );
    for (let month = 0; month < 4; month += 1) {
      expect(await compareWith(shifted)).toMatchObject({ differences: 0 });
      await renewLicense(reseller.context(), { licenseId });
    }
    await inbox.endTerm(key, -1);
    expect(await compareWith(shifted)).toMatchObject({ differences: 1 });
  });
});

describe("licenses that have ended", () => {
  test("paid time never provided stays a case after it has passed, even if found late", async () => {
    const { licenseId, key } = await register();
    const { expiresAt } = await reseller.license(licenseId);
    await renewLicense(reseller.context(), { licenseId });
    await inbox.endTerm(key, -1);
    world.setClock(new Date(expiresAt.getTime() + 60 * DAY_MS));
    await inbox.compare();
    const [found] = await inbox.openCases();
    expect(found).toMatchObject({ kind: "differs", facts: { differing: ["term"] }, value: { amount: "1800" } });
    world.advance(200 * DAY_MS);
    await inbox.compare();
    expect(await inbox.openCases()).toMatchObject([{ id: found?.id }]);
  });

  test("a license never provided stays a case after its term", async () => {
    const { licenseId, key } = await register();
    await inbox.forget(key);
    await inbox.compare();
    world.setClock(new Date((await reseller.license(licenseId)).expiresAt.getTime() + DAY_MS));
    await inbox.compare();
    expect(await inbox.openCases()).toMatchObject([{ kind: "charged_not_provisioned", reference: key }]);
  });

  test("other facts of a license that has ended on both sides are no difference", async () => {
    const { licenseId, key } = await register();
    await edit("ip_address = '198.18.99.97', cores = 3, state = 'suspended'")(key);
    world.setClock(new Date((await reseller.license(licenseId)).expiresAt.getTime() + DAY_MS));
    expect(await inbox.compare()).toMatchObject({ differences: 0 });
  });
});

describe("a late success is linked to the rejected operation", () => {
  const lose = async (licenseId: number, change: () => Promise<unknown>) => {
    const { ipAddress } = await reseller.license(licenseId);
    await placeLicense(world, licenseId, rehearsed.losesRequest);
    world.advance(1_000);
    await change();
    await inbox.refuseWhatWasLost();
    await placeLicense(world, licenseId, ipAddress);
  };
  const person = () => world.context(actors.user(reseller.id));

  /** Each provider action with a change that requests it, and its effect on the books. */
  const late = {
    async provision() {
      const { licenseKey } = await reseller.register({ ip: rehearsed.losesRequest });
      await inbox.refuseWhatWasLost();
      await inbox.hold(licenseKey, rehearsed.losesRequest);
    },
    async set_term() {
      const { licenseId, key } = await register();
      await lose(licenseId, () => renewLicense(reseller.context(), { licenseId }));
      await inbox.endTerm(key, 1);
    },
    async set_address() {
      const { licenseId, key } = await register();
      await changeLicenseIp(reseller.context(), { licenseId, newIp: ip(rehearsed.losesRequest) });
      await inbox.refuseWhatWasLost();
      await inbox.move(key, rehearsed.losesRequest);
    },
    async set_cores() {
      const { licenseId, key } = await register();
      await lose(licenseId, () => changeLicenseCores(reseller.context(), { licenseId, cores: 4 }));
      await edit("cores = 4")(key);
    },
    async suspend() {
      const { licenseId, key } = await register();
      await lose(licenseId, () => suspendLicense(reseller.context(), { licenseId }));
      await edit("state = 'suspended'")(key);
    },
    async unsuspend() {
      const { licenseId, key } = await register();
      await suspendLicense(reseller.context(), { licenseId });
      await lose(licenseId, () => unsuspendLicense(reseller.context(), { licenseId }));
      await edit("state = 'active'")(key);
    },
    async terminate() {
      const { licenseId, key } = await register();
      await lose(licenseId, () => terminateLicense(person(), { licenseId }));
      await edit("state = 'terminated'")(key);
    },
  } as const satisfies Record<ProviderAction, () => Promise<void>>;

  test.each(providerActions)("%s", async (action) => {
    await late[action]();
    await inbox.compare();
    const operation = (await reseller.operations()).find(({ state }) => state === "rejected");
    expect(await inbox.openCases()).toMatchObject([
      { kind: "late_success" satisfies CaseKind, operationId: operation?.id, value: { currency: "USD" } },
    ]);
    const [found] = await inbox.openCases();
    await inbox.act(found?.id ?? 0, "adopt");
    expect((await reseller.operations()).find(({ id }) => id === operation?.id)?.state).toBe("succeeded");
    await inbox.expectDone(found?.id ?? 0, "adopted");
  });

  test("adopting a rejected change superseded by another charges nothing", async () => {
    const { licenseId, key } = await register();
    await lose(licenseId, () => changeLicenseCores(reseller.context(), { licenseId, cores: 4 }));
    world.advance(1_000);
    await changeLicenseCores(reseller.context(), { licenseId, cores: 3 });
    await edit("cores = 4")(key);
    await inbox.compare();
    expect(await inbox.openCases()).toMatchObject([{ kind: "differs", facts: { differing: ["cores"] } }]);
  });

  test("an operation rejected while the books were read waits for the next comparison", async () => {
    const { licenseId, key } = await register();
    const meanwhile = reportingAs(world.provider, world.provider.traits, () => ({ cores: 4 }));
    const during: LicenseProvider = {
      ...meanwhile,
      async *bookPages(findKnown) {
        yield* meanwhile.bookPages(findKnown);
        await lose(licenseId, () => changeLicenseCores(reseller.context(), { licenseId, cores: 4 }));
      },
    };
    expect(await compareWith(during)).toMatchObject({ differences: 0 });
    await edit("cores = 4")(key);
    await inbox.compare();
    expect(await inbox.openCases()).toMatchObject([{ kind: "late_success" }]);
  });
});
