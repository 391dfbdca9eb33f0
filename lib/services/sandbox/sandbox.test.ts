import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openSandbox } from "#lib/db/reseller/sandbox.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import { type RehearsedOutcome, rehearsedOutcomes } from "#lib/domain/simulation.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { createKeyring } from "#lib/services/api-key/keyring.ts";
import { rotateApiKey } from "#lib/services/api-key/rotate.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { listCatalogProducts } from "#lib/services/catalog/list-catalog.ts";
import { listProducts } from "#lib/services/catalog/list-products.ts";
import { setResellerPrice } from "#lib/services/catalog/set-price.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { listProviders } from "#lib/services/provider/list.ts";
import { detectDrift } from "#lib/services/reconciliation/detect-drift.ts";
import { emitExpiryNotices } from "#lib/services/renewals/emit-expiry-notices.ts";
import { runDueRenewals } from "#lib/services/renewals/run-due.ts";
import { listResellers } from "#lib/services/reseller/list.ts";
import { createUser } from "#lib/services/user/create.ts";
import { requestTopUp } from "#lib/services/wallet/request-top-up.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { createResellerWorld, type ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { addPlayMoney } from "./add-play-money.ts";
import { advanceLicense } from "./advance.ts";
import { openSandboxOf } from "./open.ts";
import { getRehearsal, setRehearsal } from "./rehearsal.ts";
import { resetSandbox } from "./reset.ts";

const DAY_MS = 86_400_000;
let world: World;
let live: ResellerWorld;
let sandbox: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  live = await world.reseller();
  sandbox = await sandboxOf(live);
});
afterAll(() => world.close());

const user = (reseller: ResellerWorld) => world.context(actors.user(reseller.id));
async function sandboxOf(reseller: ResellerWorld): Promise<ResellerWorld> {
  return createResellerWorld(world, await openSandboxOf(user(reseller), reseller.id));
}
async function rows<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
  return world.db.query(sql<Row & Record<string, unknown>>(text), values) as Promise<Row[]>;
}
const statusOf = async (reseller: ResellerWorld, id: number) =>
  deriveLicenseStatus(await reseller.license(id), world.now());

describe("a sandbox (contract 1.18)", () => {
  test("is created once, with play money, however many ask at once", async () => {
    const other = await world.reseller();
    const opened = await Promise.all(Array.from({ length: 20 }, () => openSandboxOf(user(other), other.id)));
    expect(new Set(opened).size).toBe(1);
    const made = createResellerWorld(world, opened[0] ?? other.id);
    expect(await made.wallet()).toMatchObject({ posted: 1_000_000n, currency: "USD" });
    expect(await made.entries()).toEqual([1_000_000n]);
  });

  test("has none itself", async () => {
    expect(await codeOf(openSandboxOf(user(sandbox), sandbox.id))).toBe("state_invalid");
    const opening = { playMoney: 1n, actor: "test", now: world.now() };
    await expect(openSandbox(world.db, sandbox.id, opening)).rejects.toThrow(/a sandbox has no sandbox/);
  });

  test("buys at its reseller's prices", async () => {
    const [product] = await listProducts(sandbox.context());
    const cycleId = product?.cycles[0]?.cycleId ?? 0;
    const price = { price: "1.23", setupFee: "0", pricePerCore: product?.coreMetered ? "1" : "" };
    await setResellerPrice(live.admin(), { cycleId, resellerId: live.id, ...price });
    expect((await listProducts(sandbox.context()))[0]?.cycles[0]?.price).toBe(123n);
  });

  test("has every address to itself: live licenses and other sandboxes do not meet it", async () => {
    const ip = world.freshIp();
    const otherSandbox = await sandboxOf(await world.reseller());
    await sandbox.register({ ip });
    await live.register({ ip });
    await otherSandbox.register({ ip });
    expect(await codeOf(sandbox.register({ ip }))).toBe("registration_address_taken");
    expect(await codeOf(live.register({ ip }))).toBe("registration_address_taken");
  });

  test("reaches no provider but that of test mode", async () => {
    const { licenseKey, licenseId } = await sandbox.register();
    const { bundleId, cycleId } = await world.bundleOffer(sandbox.id);
    await registerBundle(sandbox.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
    await terminateLicense(user(sandbox), { licenseId });
    expect((await sandbox.operations()).map(({ plan }) => plan.provider)).toEqual([
      "test mode",
      "test mode",
      "test mode",
    ]);
    expect((await world.books()).filter(({ reference }) => reference === licenseKey)).toEqual([]);
    const books = await rows(
      "select state from sandbox_provider_licenses where reference = $1 and provider = 'test mode'",
      licenseKey,
    );
    expect(books).toEqual([{ state: "terminated" }]);
  });

  test("takes no live money, and gives none", async () => {
    await sandbox.register();
    await addPlayMoney(user(sandbox), { amount: "12.50" });
    expect((await sandbox.entries()).at(-1)).toBe(1_250n);
    expect(await live.wallet()).toMatchObject({ posted: 100_000n, held: 0n });
    expect(await live.entries()).toEqual([100_000n]);
    expect(await sandbox.difference()).toBeNull();
  });

  test.each(["0", "-1", "1000000.01", "1e3"])("rejects %s of play money", async (amount) => {
    expect(await codeOf(addPlayMoney(user(sandbox), { amount }))).toBe("parameters_invalid");
  });
});

describe("test keys (contract 1.18)", () => {
  test("are created for the sandbox, rotated as test keys, and know nothing live", async () => {
    const input = { name: "ci", scopes: ["licenses:read" as const] };
    const keyring = createKeyring(world.db, PEPPER);
    const asked = await createResellerApiKey(user(live), { ...input, mode: "test" });
    const inTestMode = await createResellerApiKey(user(sandbox), input);
    const rotated = await rotateApiKey(user(sandbox), { apiKeyId: asked.apiKeyId });
    const liveKey = await createResellerApiKey(user(live), input);
    expect(liveKey.apiKey).toMatch(/^lk_live_/);
    for (const { apiKey } of [asked, inTestMode, rotated]) {
      expect(apiKey).toMatch(/^lk_test_/);
      expect(await keyring.authenticate(apiKey, world.now(), () => true)).toMatchObject({ resellerId: sandbox.id });
    }
    const { licenseId } = await live.register();
    expect(await codeOf(sandbox.license(licenseId))).toBe("license_not_found");
    expect(await codeOf(sandbox.license(2_000_000_000))).toBe("license_not_found");
  });

  test("end while their reseller is suspended", async () => {
    const { apiKey } = await createResellerApiKey(user(sandbox), { name: "ci", scopes: ["licenses:read"] });
    await rows("update resellers set suspended_at = now() where id = $1", live.id);
    expect(await createKeyring(world.db, PEPPER).authenticate(apiKey, world.now(), () => true)).toBeNull();
  });
});

describe("test and live rows never mix: the database refuses", () => {
  const attempts: Record<string, (live: number, test: number) => string> = {
    "a live key of a sandbox": (_, test) =>
      `insert into api_keys (reseller_id, name, secret_hash, hint) values (${test}, 'x', 'x', 'lk_live_ab…wxyz')`,
    "a test key of a live reseller": (live) =>
      `insert into api_keys (reseller_id, name, secret_hash, hint) values (${live}, 'x', 'x', 'lk_test_ab…wxyz')`,
    "moving a live key to a sandbox": (live, test) =>
      `with added as (insert into api_keys (reseller_id, name, secret_hash, hint) values (${live}, 'x', 'y${live}', 'lk_live_ab…wxyz') returning id)
       select 1 from added; update api_keys set reseller_id = ${test} where reseller_id = ${live}`,
    "an operation of a sandbox at a live provider": (_, test) => operationAt(test, "sandbox"),
    "a live operation at the provider of test mode": (live) => operationAt(live, "test mode"),
    "a user of a sandbox": (_, test) =>
      `insert into users (email, name, password_hash, role, reseller_id) values ('x${test}@example.com', 'x', 'x${test}', 'reseller', ${test})`,
    "a price of a sandbox": (_, test) =>
      `insert into prices (cycle_id, reseller_id, currency, price) select id, ${test}, 'USD', 1 from billing_cycles limit 1`,
    "a request for a real top-up of a sandbox": (_, test) =>
      `insert into top_up_requests (reseller_id, amount, reference, requested_by, created_at) values (${test}, 1, 'x', 'x', now())`,
    "a sandbox that becomes live": (_, test) => `update resellers set sandbox_of = null where id = ${test}`,
    "a live reseller that becomes a sandbox": (live, test) =>
      `update resellers set sandbox_of = ${test} where id = ${live}`,
    "a sandbox of a sandbox": (_, test) =>
      `insert into resellers (name, email, currency, sandbox_of) values ('x', 'x@example.com', 'USD', ${test})`,
  };
  const operationAt = (reseller: number, provider: string) => `
    insert into operations (id, kind, state, reseller_id, hold_amount, price, currency, plan, actor, request_id, lease_token, created_at)
    values (gen_random_uuid(), 'license_renew', 'held', ${reseller}, 0, 0, 'USD', '{"provider": "${provider}"}', 'x', 'x', gen_random_uuid(), now())`;

  test.each(Object.keys(attempts))("%s", async (name) => {
    const statements = attempts[name]?.(live.id, sandbox.id).split(";") ?? [];
    const results = [];
    for (const text of statements)
      results.push(
        await rows(text).then(
          () => "",
          ({ code }) => code,
        ),
      );
    expect(results.at(-1)).toBe("LD011");
  });

  test("a second open sandbox", async () => {
    const again = `insert into resellers (name, email, currency, sandbox_of) values ('x', 'x@example.com', 'USD', ${live.id})`;
    await expect(rows(again)).rejects.toMatchObject({ code: "23505" });
  });

  test("no foreign key leads from one reseller to another's row", async () => {
    await sandbox.register();
    await live.register();
    const keys = await rows<{ child: string; parent: string; column: string; target: string }>(`
      select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent, a.attname as "column", t.attname as target
        from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        join pg_attribute t on t.attrelid = c.confrelid and t.attnum = c.confkey[1]
        join pg_attribute r on r.attrelid = c.conrelid and r.attname = 'reseller_id'
        join pg_attribute o on o.attrelid = c.confrelid and o.attname = 'reseller_id'
       where c.contype = 'f' and cardinality(c.conkey) = 1`);
    expect(keys.length).toBeGreaterThan(8);
    for (const { child, parent, column, target } of keys) {
      const mixed = `select from ${child} c join ${parent} p on p.${target} = c.${column} where p.reseller_id <> c.reseller_id`;
      expect(await rows(mixed), `${child}.${column}`).toEqual([]);
    }
  });
});

describe("live services refuse a sandbox with a clear error", () => {
  const person = { name: "A", email: "a@example.com" };
  test("users, own prices and real top-ups", async () => {
    const admin = world.context(actors.admin(null));
    expect(await codeOf(createUser(admin, { resellerId: sandbox.id, ...person }))).toBe("not_found");
    const price = { price: "1", setupFee: "0", pricePerCore: "" };
    expect(await codeOf(setResellerPrice(admin, { cycleId: 1, resellerId: sandbox.id, ...price }))).toBe(
      "state_invalid",
    );
    const request = { amount: "5", reference: "r", method: "card" } as const;
    expect(await codeOf(requestTopUp(user(sandbox), request))).toBe("state_invalid");
  });

  test("test mode's services refuse a live reseller", async () => {
    const { licenseId } = await live.register();
    const before = await live.license(licenseId);
    const refused = [
      () => addPlayMoney(user(live), { amount: "5" }),
      () => advanceLicense(user(live), { licenseId, daysBeforeEnd: 0 }),
      () => advanceLicense(user(sandbox), { licenseId, daysBeforeEnd: 0 }),
      () => setRehearsal(user(live), { outcome: "reject", remaining: 1 }),
      () => getRehearsal(user(live)),
      () => resetSandbox(user(live)),
    ];
    for (const attempt of refused) expect(await codeOf(attempt())).toBe("state_invalid");
    expect(await live.license(licenseId)).toEqual(before);
  });
});

describe("administration does not see sandboxes", () => {
  test("resellers, providers, catalog figures and comparisons", async () => {
    const count = async () =>
      (
        await listCatalogProducts(world.operator, { text: null, state: null, provider: null, after: null, limit: 100 })
      ).products.map((one) => one.liveLicenses);
    const before = await count();
    await sandbox.register();
    expect(await count()).toEqual(before);
    expect((await listResellers(world.operator)).map(({ resellerId }) => resellerId)).not.toContain(sandbox.id);
    expect((await listProviders(world.operator)).map(({ name }) => name)).toEqual(["sandbox"]);
    expect(await detectDrift(world.operator)).toMatchObject([{ provider: "sandbox", differences: 0 }]);
    expect(await codeOf(detectDrift(world.operator, { provider: "test mode" }))).toBe("not_found");
  });
});

describe("rehearsals", () => {
  const ends: Record<RehearsedOutcome, { first: string; charged: boolean }> = {
    reject: { first: "registration_rejected", charged: false },
    lose_answer: { first: "pending", charged: true },
    lose_request: { first: "pending", charged: false },
    slow: { first: "pending", charged: true },
    garble: { first: "pending", charged: true },
    refuse_connection: { first: "provider_unavailable", charged: false },
  };

  test.each(rehearsedOutcomes)("%s, for as many requests as asked, and only here", async (outcome) => {
    await setRehearsal(user(sandbox), { outcome, remaining: 1 });
    const elsewhere = await sandboxOf(await world.reseller());
    expect((await elsewhere.register()).operation.state).toBe("succeeded");
    const before = await sandbox.spendable();
    const first = await sandbox.register().then(
      ({ pending }) => (pending ? "pending" : "succeeded"),
      ({ code }) => code,
    );
    expect(first).toBe(ends[outcome].first);
    expect(await getRehearsal(user(sandbox))).toBeNull();
    world.advance(120_000);
    await reconcileOperations(world.operator, { early: true });
    expect((await sandbox.spendable()) < before).toBe(ends[outcome].charged);
    expect(await sandbox.wallet()).toMatchObject({ held: 0n });
    expect((await sandbox.register()).pending).toBe(false);
  });

  test.each([-1, 101, 1.5, Number.NaN])("not for %s requests", async (remaining) => {
    expect(await codeOf(setRehearsal(user(sandbox), { outcome: "reject", remaining }))).toBe("parameters_invalid");
  });
});

describe("a license of a sandbox moves ahead", () => {
  test("to its end: it expires, with its event, once", async () => {
    const { licenseId } = await sandbox.register({ months: 12 });
    await advanceLicense(user(sandbox), { licenseId, daysBeforeEnd: 0 });
    expect(await statusOf(sandbox, licenseId)).toBe("active");
    world.advance(11_000);
    await emitExpiryNotices(world.operator);
    await emitExpiryNotices(world.operator);
    expect(await statusOf(sandbox, licenseId)).toBe("expired");
    expect(await sandbox.eventKinds()).toEqual(["license.activated", "license.expired"]);
    expect(await codeOf(advanceLicense(user(sandbox), { licenseId, daysBeforeEnd: 0 }))).toBe("state_invalid");
  });

  test("to its automatic renewal, which extends the term from its moved end", async () => {
    const { licenseId } = await sandbox.register();
    const { price } = (await world.offer(sandbox.id, "control_panel")).cycle;
    await setLicenseAutoRenew(user(sandbox), { licenseId, on: true, agreedPrice: price });
    await advanceLicense(user(sandbox), { licenseId, daysBeforeEnd: 3 });
    const { expiresAt } = await sandbox.license(licenseId);
    world.advance(11_000);
    await runDueRenewals(world.operator);
    const renewed = await sandbox.license(licenseId);
    expect(renewed.expiresAt.getTime() - expiresAt.getTime()).toBeGreaterThan(27 * DAY_MS);
    expect((await sandbox.entries()).slice(1)).toEqual([-price, -price]);
  });

  test("with its cores: what is given back later is credited for the moved term", async () => {
    const { licenseId } = await sandbox.register({ type: "web_server", months: 12 });
    const added = await changeLicenseCores(sandbox.context(), { licenseId, cores: 3 });
    const { expiresAt } = await sandbox.license(licenseId);
    await advanceLicense(user(sandbox), { licenseId, daysBeforeEnd: 30 });
    const credit = await changeLicenseCores(sandbox.context(), { licenseId, cores: 1 });
    const share = (30 * DAY_MS) / (expiresAt.getTime() - world.now().getTime());
    expect(Number(-credit.price) / Number(added.price)).toBeCloseTo(share, 2);
    expect(await sandbox.difference()).toBeNull();
  });

  test("with the whole bundle", async () => {
    const { bundleId, cycleId } = await world.bundleOffer(sandbox.id);
    const { instance } = await registerBundle(sandbox.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
    const [member] = instance.members;
    await advanceLicense(user(sandbox), { licenseId: member?.id as never, daysBeforeEnd: 5 });
    const ends = await rows(
      `select expires_at from licenses where bundle_instance_id = $1 union select expires_at from bundle_instances where id = $1`,
      instance.id,
    );
    expect(ends).toHaveLength(1);
  });

  test.each([-1, 0.5, 3_651])("not to %s days before its end", async (daysBeforeEnd) => {
    const { licenseId } = await sandbox.register();
    expect(await codeOf(advanceLicense(user(sandbox), { licenseId, daysBeforeEnd }))).toBe("parameters_invalid");
  });
});

describe("a reset", () => {
  test("begins anew with the same keys and endpoints, and the old sandbox stops", async () => {
    const { licenseId } = await sandbox.register();
    const { apiKey } = await createResellerApiKey(user(sandbox), { name: "ci", scopes: ["licenses:read"] });
    await resetSandbox(user(sandbox));
    const after = await sandboxOf(live);
    expect(after.id).not.toBe(sandbox.id);
    expect(await after.wallet()).toMatchObject({ posted: 1_000_000n, held: 0n });
    expect(await codeOf(after.license(licenseId))).toBe("license_not_found");
    const key = await createKeyring(world.db, PEPPER).authenticate(apiKey, world.now(), () => true);
    expect(key).toMatchObject({ resellerId: after.id });
    expect(await codeOf(sandbox.register())).toBe("reseller_suspended");
    expect(await live.wallet()).toMatchObject({ posted: 100_000n });
  });

  test("happens at most ten times a day", async () => {
    for (let time = 0; time < 10; time++) await resetSandbox(user(await sandboxOf(live)));
    expect(await codeOf(resetSandbox(user(await sandboxOf(live))))).toBe("rate_limited");
    world.advance(DAY_MS + 1);
    await resetSandbox(user(await sandboxOf(live)));
  });
});
