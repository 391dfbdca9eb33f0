import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openSandbox } from "#lib/db/reseller/sandbox.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { createKeyring } from "#lib/services/api-key/keyring.ts";
import { rotateApiKey } from "#lib/services/api-key/rotate.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { listProducts } from "#lib/services/catalog/list-products.ts";
import { setPrice } from "#lib/services/catalog/set-price.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import { anyLookUp } from "#tests/support/look-up-quota.ts";
import { createResellerWorld, type ResellerWorld } from "#tests/support/reseller.ts";
import { sandboxOf, userOf } from "#tests/support/sandbox.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { addPlayMoney } from "./add-play-money.ts";
import { openSandboxOf } from "./open.ts";

let world: World;
let live: ResellerWorld;
let sandbox: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  live = await world.reseller();
  sandbox = await sandboxOf(world, live);
});
afterAll(() => world.close());

const user = (reseller: ResellerWorld) => userOf(world, reseller);
async function rows<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
  return world.db.query(sql<Row & Record<string, unknown>>(text), values) as Promise<Row[]>;
}

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
    await setPrice(live.admin(), { cycleId, currency: "USD", resellerId: live.id, ...price });
    expect((await listProducts(sandbox.context()))[0]?.cycles[0]?.price).toBe(123n);
  });

  test("has every address to itself: live licenses and other sandboxes do not meet it", async () => {
    const ip = world.freshIp();
    const otherSandbox = await sandboxOf(world, await world.reseller());
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
    expect((await sandbox.entries()).reduce((sum, amount) => sum + amount)).toBe((await sandbox.wallet()).posted);
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
      expect(await keyring.authenticate(apiKey, world.now(), anyLookUp)).toMatchObject({ resellerId: sandbox.id });
    }
    const { licenseId } = await live.register();
    expect(await codeOf(sandbox.license(licenseId))).toBe("license_not_found");
    expect(await codeOf(sandbox.license(2_000_000_000))).toBe("license_not_found");
  });

  test("end while their reseller is suspended", async () => {
    const { apiKey } = await createResellerApiKey(user(sandbox), { name: "ci", scopes: ["licenses:read"] });
    await rows("update resellers set suspended_at = now() where id = $1", live.id);
    expect(await createKeyring(world.db, PEPPER).authenticate(apiKey, world.now(), anyLookUp)).toBeNull();
  });
});
