import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createSandboxProvider } from "#lib/adapters/provider-sandbox.ts";
import { createPendingWrites } from "#lib/db/connection/transaction.ts";
import { openSandboxBooks } from "#lib/db/provider/sandbox.ts";
import { parseSealingKey, type SealingKey } from "#lib/domain/sealed-secret.ts";
import type { LicenseProvider, ProviderHealth } from "#lib/ports/license-provider.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { createTestProvider } from "#lib/test-provider.ts";
import { sql } from "#tests/sql.ts";
import { formKey } from "#tests/support/claims.ts";
import { always, codeOf, rehearsed } from "#tests/support/faults.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { createProvider } from "./create.ts";
import { listProviders } from "./list.ts";
import { type ClosableRegistry, createProviderRegistry, type ProviderMakers } from "./registry.ts";
import { setProviderDisabled } from "./set-disabled.ts";
import { disable } from "./stand-ins.ts";
import { testProviderConnection } from "./test-connection.ts";
import { updateProvider } from "./update.ts";

let world: World;
let registry: ClosableRegistry;
/** The options that each provider was created with. */
let made: Parameters<ProviderMakers["dispatch"]>[0][];
let closed: string[];
let health: ProviderHealth;
let names = 0;

const keyOf = (byte: number) => parseSealingKey(Buffer.alloc(32, byte).toString("base64")) as SealingKey;
const sealingKey = keyOf(3);

function fake(name: string): LicenseProvider {
  return {
    name,
    execute: async () => ({ kind: "succeeded" }),
    lookUp: async () => ({ kind: "succeeded" }),
    traits: { terms: "counted", endsBySuspending: true },
    async *bookPages() {},
    health: () => health,
    account: { readBalance: async () => ({ balance: "5", currency: "USD" }), listProducts: async () => [] },
    close: async () => void closed.push(name),
  };
}

function newRegistry(key: SealingKey | null = sealingKey): ClosableRegistry {
  return createProviderRegistry(world.db, key, {
    sandbox: () => createSandboxProvider({ books: openSandboxBooks(world.db), timeoutMs: 5 }),
    test: () => createTestProvider(world.db, 5),
    dispatch: (access) => {
      made.push(access);
      return fake(access.name);
    },
  });
}

const operator = (key: SealingKey | null = sealingKey): ServiceContext => ({
  ...world.operator,
  providers: registry,
  settings: { ...world.operator.settings, apiKeyPepper: PEPPER, sealingKey: key },
  randomBytes: (count) => randomBytes(count),
});

const newName = () => `upstream-${++names}`;
const access = { baseUrl: "https://up.example/api/v1", apiKey: "lk_live_first", signingSecret: "lss_first" };

beforeAll(async () => {
  world = await newWorld();
});
beforeEach(() => {
  made = [];
  closed = [];
  health = { state: "closed", accepts: true, lastSuccessAt: null, lastFailure: null, lastLatencyMs: null };
  registry = newRegistry();
});
afterAll(() => world.close());

describe("a provider that is set up", () => {
  test("is created with its credentials, which no list, audit entry or plain column contains", async () => {
    const name = newName();
    expect(await createProvider(operator(), { name, ...access })).toEqual({
      name,
      baseUrl: "https://up.example/api/v1/",
    });
    expect((await registry.get(name))?.name).toBe(name);
    expect(made).toEqual([{ name, ...access, baseUrl: "https://up.example/api/v1/" }]);
    const contents = [
      await listProviders(operator()),
      await world.db.query(sql("select p::text, credentials from providers p"), []),
      await world.db.query(sql("select a::text from audit_entries a where subject = $1"), [`provider:${name}`]),
    ];
    for (const secret of [access.apiKey, access.signingSecret]) expect(JSON.stringify(contents)).not.toContain(secret);
    expect(await testProviderConnection(operator(), { name })).toMatchObject({ works: true, balance: "5" });
  });

  test("is reloaded when it changes, which closes the previous one; an unchanged one is kept", async () => {
    const name = newName();
    await createProvider(operator(), { name, ...access });
    const first = await registry.get(name);
    registry.forget(name);
    expect(await registry.get(name)).toBe(first);
    await updateProvider(operator(), { name, apiKey: "lk_live_second" });
    await registry.get(name);
    await updateProvider(operator(), { name, signingSecret: null });
    await registry.get(name);
    expect(made.map(({ apiKey, signingSecret }) => [apiKey, signingSecret])).toEqual([
      ["lk_live_first", "lss_first"],
      ["lk_live_second", "lss_first"],
      ["lk_live_second", null],
    ]);
    expect(closed).toEqual([name, name]);
  });

  test("is current once a form's change is committed, also if it was read again before that", async () => {
    const name = newName();
    await createProvider(operator(), { name, ...access });
    await registry.get(name);
    const pending = createPendingWrites(world.db);
    const { claim } = formKey(world.db, `disable ${name}`);
    await setProviderDisabled({ ...operator(), claim: { ...claim, pending } }, { name, disabled: true });
    expect((await registry.get(name))?.health?.().state).toBe("closed");
    await pending.commit();
    expect((await registry.get(name))?.health?.().state).toBe("disabled");
  });

  test("does not fail requests that are reading it while it changes", async () => {
    const name = newName();
    await createProvider(operator(), { name, ...access });
    const reading = registry.get(name);
    registry.forget(name);
    expect((await reading)?.name).toBe(name);
  });

  test("is listed as it is now, not as this process remembers it from before another one changed it", async () => {
    const name = newName();
    await createProvider(operator(), { name, ...access });
    const elsewhere = { ...operator(), providers: newRegistry() };
    await elsewhere.providers.get(name);
    for (const disabled of [true, false]) {
      await setProviderDisabled(operator(), { name, disabled });
      const listed = (await listProviders(elsewhere)).find((provider) => provider.name === name);
      expect(listed?.health?.state).toBe(disabled ? "disabled" : "closed");
    }
  });

  test("disabled, it still voids what it has not seen: its operations end without a request that arrives later", async () => {
    const lookUp = vi.fn<LicenseProvider["lookUp"]>(async () => ({ kind: "not_found", isVoid: true }));
    const options = { voidIfUnseen: true };
    await disable({ ...fake("up"), lookUp }).lookUp({} as never, options);
    expect(lookUp).toHaveBeenCalledWith({}, options);
  });

  test("follows another instance's change within seconds", async () => {
    const name = newName();
    await createProvider(operator(), { name, ...access });
    const elsewhere = newRegistry();
    expect((await (await elsewhere.get(name))?.execute({} as never, always))?.kind).toBe("succeeded");
    await setProviderDisabled(operator(), { name, disabled: true });
    await sleep(3_200);
    expect((await (await elsewhere.get(name))?.execute({} as never, always))?.kind).toBe("not_sent");
  });

  test.each([
    ["name", { name: "Upper Case" }],
    ["base_url", { baseUrl: "ftp://up.example/api/v1/" }],
    ["base_url", { baseUrl: "http://up.example/api/v1/" }],
    ["base_url", { baseUrl: "http://127.0.0.1/api/v1/" }],
    ["base_url", { baseUrl: "https://up.example/" }],
    ["base_url", { baseUrl: "https://user:pass@up.example/api/v1/" }],
    ["base_url", { baseUrl: "https://up.example/api/v1/?a=1" }],
    ["api_key", { apiKey: "has space" }],
    ["signing_secret", { signingSecret: "" }],
  ])("needs a valid %s: %o", async (field, change) => {
    const refused = createProvider(operator(), { name: newName(), ...access, ...change });
    await expect(refused).rejects.toMatchObject({
      code: "parameters_invalid",
      details: { [field]: expect.any(String) },
    });
  });

  test("can have a plain http address only if the operator allows it", async () => {
    const name = newName();
    const baseUrl = "http://up.example/api/v1/";
    const lenient = operator();
    await createProvider(
      { ...lenient, settings: { ...lenient.settings, allowHttpProviders: true } },
      { name, ...access, baseUrl },
    );
    const back = { name, baseUrl: "http://other.example/api/v1/", apiKey: "lk_live_first", signingSecret: null };
    expect(await codeOf(updateProvider(operator(), back))).toBe("parameters_invalid");
  });

  test("needs new credentials for a new address, which never gets the stored ones", async () => {
    const name = newName();
    await createProvider(operator(), { name, ...access });
    const moved = { name, baseUrl: "https://other.example/api/v1/" };
    await expect(updateProvider(operator(), moved)).rejects.toMatchObject({
      code: "parameters_invalid",
      details: { api_key: expect.any(String), signing_secret: expect.any(String) },
    });
    await expect(updateProvider(operator(), { ...moved, apiKey: "lk_live_second" })).rejects.toMatchObject({
      details: { signing_secret: expect.any(String) },
    });
    await testProviderConnection(operator(), { name });
    expect(made.map(({ baseUrl }) => baseUrl)).toEqual(["https://up.example/api/v1/"]);

    await updateProvider(operator(), { ...moved, apiKey: "lk_live_second", signingSecret: "lss_second" });
    await updateProvider(operator(), { name, baseUrl: "https://other.example/api/v1" });
    await registry.get(name);
    expect(made.at(-1)).toEqual({ ...moved, apiKey: "lk_live_second", signingSecret: "lss_second" });
    await updateProvider(operator(), { name, signingSecret: null });
    await updateProvider(operator(), { name, baseUrl: "https://third.example/api/v1/", apiKey: "lk_live_third" });
  });

  test("has a unique name, and needs ENCRYPTION_KEY", async () => {
    const name = newName();
    await createProvider(operator(), { name, ...access });
    expect(await codeOf(createProvider(operator(), { name, ...access }))).toBe("conflict");
    expect(await codeOf(createProvider(operator(null), { name: newName(), ...access }))).toBe("unavailable");
    expect(await codeOf(updateProvider(operator(), { name: "sandbox", apiKey: "x" }))).toBe("state_invalid");
    expect(await codeOf(testProviderConnection(operator(), { name: "sandbox" }))).toBe("state_invalid");
    expect(await codeOf(updateProvider(operator(), { name: "nobody", apiKey: "x" }))).toBe("not_found");
  });

  test("sends nothing under another ENCRYPTION_KEY, does not stop others, and is repaired by new credentials", async () => {
    const name = newName();
    await createProvider(operator(), { name, ...access });
    registry = newRegistry(keyOf(4));
    const stranger = await registry.get(name);
    expect((await stranger?.execute({} as never, always))?.kind).toBe("not_sent");
    expect((await stranger?.lookUp({} as never))?.kind).toBe("unreachable");
    expect(stranger?.health?.()).toMatchObject({
      accepts: false,
      lastFailure: { message: expect.stringContaining("ENCRYPTION_KEY") },
    });
    await updateProvider(operator(keyOf(4)), { name, apiKey: "lk_live_new", signingSecret: null });
    expect((await (await registry.get(name))?.execute({} as never, always))?.kind).toBe("succeeded");
  });

  test("has credentials that cannot be unsealed under another name", async () => {
    const [name, thief] = [newName(), newName()];
    await createProvider(operator(), { name, ...access });
    await createProvider(operator(), { name: thief, ...access, baseUrl: "https://evil.example/api/v1/" });
    await world.db.query(
      sql("update providers set credentials = (select credentials from providers where name = $1) where name = $2"),
      [name, thief],
    );
    expect((await (await registry.get(thief))?.execute({} as never, always))?.kind).toBe("not_sent");
    expect(made).toEqual([]);
  });
});

test("the list has each provider's open operations and last comparison", async () => {
  const read = async () => (await listProviders(operator())).find(({ name }) => name === "sandbox");
  const before = await read();
  const reseller = await world.reseller();
  await reseller.register({ ip: rehearsed.losesAnswer });
  expect((await read())?.openOperations).toBe((before?.openOperations ?? 0) + 1);
  const now = world.now();
  const times = { startedAt: now, leaseToken: randomUUID(), finishedAt: now };
  await world.db.prisma.providerComparison.create({
    data: { providerName: "sandbox", actor: "system:test", ...times, heldCount: 3 },
  });
  const last = { finishedAt: now, heldCount: 3, runningSince: null };
  expect(await read()).toMatchObject({ comparison: last });
  await world.db.query(
    sql(`insert into provider_comparisons (provider, actor, started_at, owner_id, lease_token)
         values ('sandbox', 'system:test', $1, gen_random_uuid(), gen_random_uuid())`),
    [now],
  );
  expect(await read()).toMatchObject({ comparison: { ...last, runningSince: now } });
});

describe("PROVIDER_UNAVAILABLE before anything is held (contract 3.13)", () => {
  async function attempt(name: string) {
    const reseller = await world.reseller();
    const offer = await world.offer(reseller.id, "backup_agent");
    await world.db.prisma.product.update({ where: { id: offer.productId }, data: { providerName: name } });
    const ctx = {
      ...reseller.context(),
      providers: registry,
    };
    const before = await world.db.prisma.operation.count();
    const input = { productId: offer.productId, cycleId: offer.cycleId, ipAddress: world.freshIp() };
    const code = await registerLicense(ctx, input).then(
      () => null,
      (error) => error.code,
    );
    return { code, operations: (await world.db.prisma.operation.count()) - before };
  }

  test("while the breaker is open or the provider is disabled", async () => {
    const name = newName();
    await createProvider(operator(), { name, ...access });
    health = { ...health, state: "open", accepts: false };
    expect(await attempt(name)).toEqual({ code: "provider_unavailable", operations: 0 });
    health = { ...health, state: "closed", accepts: true };
    await setProviderDisabled(operator(), { name, disabled: true });
    expect(await attempt(name)).toEqual({ code: "provider_unavailable", operations: 0 });
    const listed = (await listProviders(operator())).find((provider) => provider.name === name);
    expect(listed?.health).toMatchObject({ state: "disabled", accepts: false });
    await setProviderDisabled(operator(), { name, disabled: false });
    expect(await attempt(name)).toEqual({ code: null, operations: 1 });
  });
});
