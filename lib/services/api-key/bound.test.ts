import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiKeyId, LicenseId } from "#lib/domain/ids.ts";
import { agentScopes, scopes as allScopes } from "#lib/domain/scopes.ts";
import { listAuditLog } from "#lib/services/audit/list.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { verifyLicense } from "#lib/services/license/verify.ts";
import { openSandboxOf } from "#lib/services/sandbox/open.ts";
import { resetSandbox } from "#lib/services/sandbox/reset.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { clearRehearsed, codeOf, rehearsed } from "#tests/support/faults.ts";
import { anyLookUp } from "#tests/support/look-up-quota.ts";
import { createResellerWorld, type ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { BOUND_KEYS_MAX, createResellerApiKey } from "./create.ts";
import { createAgentKeys } from "./create-agent-keys.ts";
import { getApiKey } from "./get.ts";
import { createKeyring } from "./keyring.ts";
import { listApiKeys } from "./list.ts";
import { listEarlierAgentKeys } from "./list-earlier-agent-keys.ts";
import { revokeApiKey } from "./revoke.ts";
import { rotateApiKey } from "./rotate.ts";

let world: World;
let owner: ResellerWorld;
let stranger: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  owner = await world.reseller();
  stranger = await world.reseller();
});
afterAll(() => world.close());

const bind = (licenseId: number, input: Partial<Parameters<typeof createResellerApiKey>[1]> = {}) =>
  createResellerApiKey(world.context(actors.user(owner.id)), {
    name: "agent",
    scopes: agentScopes,
    licenseId: licenseId as LicenseId,
    ...input,
  });
const authenticate = (apiKey: string) => createKeyring(world.db, PEPPER).authenticate(apiKey, world.now(), anyLookUp);

test("a key is bound to a license, a rotation keeps that, and list, page and audit log show it", async () => {
  const { licenseId } = await owner.register();
  const { apiKey, apiKeyId } = await bind(licenseId);
  expect(await authenticate(apiKey)).toMatchObject({ licenseId });
  const rotated = await rotateApiKey(world.context(actors.user(owner.id)), { apiKeyId });
  expect(await authenticate(rotated.apiKey)).toMatchObject({ licenseId, scopes: new Set(agentScopes) });
  expect(await getApiKey(world.operator, rotated)).toMatchObject({ licenseId });
  const { rows: entries } = await listAuditLog(world.operator, {
    filter: { subject: `api_key:${apiKeyId}` },
    before: null,
    limit: 50,
  });
  expect(entries.find(({ action }) => action === "api_key.create")?.data).toMatchObject({
    license_id: `lic_${licenseId}`,
  });
});

test("another reseller's license is answered like none", async () => {
  const { licenseId } = await stranger.register();
  const message = async (id: number) => bind(id).catch(({ code, message, details }) => ({ code, message, details }));
  expect(await message(licenseId)).toMatchObject({ code: "license_not_found" });
  expect(await message(licenseId)).toEqual(await message(2_000_000_000));
});

test("a live key is not bound to a license of the sandbox, nor a test key to a live one", async () => {
  const sandbox = createResellerWorld(world, await openSandboxOf(world.operator, owner.id));
  const [live, rehearsal] = [await owner.register(), await sandbox.register()];
  expect(await codeOf(bind(rehearsal.licenseId))).toBe("license_not_found");
  expect(await codeOf(bind(live.licenseId, { mode: "test" }))).toBe("license_not_found");
  const { apiKey, apiKeyId } = await bind(rehearsal.licenseId, { mode: "test" });
  expect(await authenticate(apiKey)).toMatchObject({ licenseId: rehearsal.licenseId });
  await resetSandbox(world.context(actors.user(sandbox.id)), { sandboxId: sandbox.id });
  expect(await authenticate(apiKey)).toBeNull();
  expect(await getApiKey(world.operator, { apiKeyId })).toMatchObject({ revokedAt: expect.any(Date) });
});

test("a terminated license gets no key, and one bound before answers that it is terminated", async () => {
  const { licenseId, licenseKey } = await owner.register();
  await bind(licenseId);
  await terminateLicense(owner.context(), { licenseId });
  expect(await codeOf(bind(licenseId))).toBe("state_invalid");
  const bound = world.context(actors.boundKey(owner.id, licenseId));
  const { outcome } = await verifyLicense(bound, { licenseKey, ipAddress: "198.51.100.7" });
  expect(outcome.code).toBe("TERMINATED");
});

test("a pending license gets no key: its registration can still be rejected", async () => {
  await clearRehearsed(world);
  const { licenseId } = await owner.register({ ip: rehearsed.garblesAnswer });
  expect(await codeOf(bind(licenseId))).toBe("state_invalid");
});

test("no other scopes can be bound, not even in the database", async () => {
  const { licenseId } = await owner.register();
  const beyond = allScopes.filter((scope) => !agentScopes.some((agents) => agents === scope));
  for (const scope of beyond) {
    await expect(bind(licenseId, { scopes: ["licenses:verify", scope] })).rejects.toMatchObject({
      code: "parameters_invalid",
      details: { scopes: expect.any(String) },
    });
  }
  const { apiKeyId } = await bind(licenseId, { scopes: ["licenses:verify"] });
  const widen = "update api_keys set scopes = scopes || array['licenses:read'] where id = $1";
  await expect(world.db.query(sql(widen), [apiKeyId])).rejects.toThrow(/api_keys_bound_to_a_license/);
});

test("verifying with a bound key takes the statements of any other key", async () => {
  const { licenseId, licenseKey } = await owner.register();
  const asked: Record<string, string[]> = { bound: [], free: [] };
  for (const [which, actor] of [
    ["bound", actors.boundKey(owner.id, licenseId)],
    ["free", actors.apiKey(owner.id)],
  ] as const) {
    const ctx = world.context(actor);
    const query: typeof ctx.db.query = (statement, values) => {
      asked[which]?.push(statement.name ?? "");
      return world.db.query(statement, values);
    };
    await verifyLicense({ ...ctx, db: { ...world.db, query } }, { licenseKey, ipAddress: "198.51.100.7" });
  }
  expect(asked.bound).toEqual(["list_verification_facts"]);
  expect(asked.free).toEqual(asked.bound);
});

test("keys for agents are bound, named after their licenses, and returned once and listed apart; those of before are found until they are revoked", async () => {
  const [{ licenseId, licenseKey }, second] = [await owner.register(), await owner.register()];
  const user = world.context(actors.user(owner.id));
  const [first] = await createAgentKeys(user, { licenseIds: [licenseId] });
  const listEarlier = () => listEarlierAgentKeys(user, { licenseIds: [licenseId, second.licenseId] });
  expect(await listEarlier()).toEqual([]);
  const created = await createAgentKeys(user, { licenseIds: [licenseId, second.licenseId] });
  expect(created.map(({ licenseKey }) => licenseKey)).toEqual([licenseKey, second.licenseKey]);
  expect(await listEarlier()).toEqual([{ apiKeyId: first?.apiKeyId, hint: expect.any(String) }]);
  expect(await authenticate(String(created[1]?.apiKey))).toMatchObject({
    licenseId: second.licenseId,
    scopes: new Set(agentScopes),
  });
  expect(await getApiKey(world.operator, { apiKeyId: created[0]?.apiKeyId as ApiKeyId })).toMatchObject({
    name: `Agent of lic_${licenseId}`,
  });
  const listed = async (bound: boolean) => (await listApiKeys(user, { bound })).rows.map(({ apiKeyId }) => apiKeyId);
  expect(await listed(true)).toEqual(expect.arrayContaining(created.map(({ apiKeyId }) => apiKeyId)));
  expect(await listed(false)).not.toContain(created[0]?.apiKeyId);
  await revokeApiKey(user, { apiKeyId: first?.apiKeyId as ApiKeyId });
  expect(await listEarlier()).toEqual([]);
  const foreign = await stranger.register();
  expect(await codeOf(createAgentKeys(user, { licenseIds: [foreign.licenseId] }))).toBe("license_not_found");
});

test("each license has a limit of keys of its own, which leaves the reseller's other keys alone", async () => {
  const [one, other] = [await owner.register(), await owner.register()];
  for (let count = 0; count < BOUND_KEYS_MAX; count++) await bind(one.licenseId);
  expect(await codeOf(bind(one.licenseId))).toBe("conflict");
  await bind(other.licenseId);
  await createResellerApiKey(world.context(actors.user(owner.id)), { name: "shop", scopes: ["licenses:read"] });
});
