import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { UserId } from "#lib/domain/ids.ts";
import { type ResellerRole, resellerRoleNames } from "#lib/domain/roles.ts";
import { actors } from "#tests/support/actors.ts";
import { digestTenant } from "#tests/support/digest-tenant.ts";
import { mailSettings } from "#tests/support/mails.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { findServices, withoutPermission } from "#tests/support/services.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createResellerApiKey } from "./api-key/create.ts";
import { startLicenseBulk } from "./bulk/start-licenses.ts";
import { registerBundle } from "./bundle/register.ts";
import type { Actor } from "./context.ts";
import { setLicenseNotes } from "./license/set-notes.ts";
import { createUser } from "./user/create.ts";
import { requestTopUp } from "./wallet/request-top-up.ts";
import { createWebhookEndpoint } from "./webhook/create.ts";

/** In every text of the owner that a service could repeat. */
const MARK = "belongs-to-the-owner";
const services = [...(await findServices())].filter(([name]) => !withoutPermission.has(name));

let world: World;
let owner: ResellerWorld;
let stranger: ResellerWorld;
let strangerId: UserId;
let input: Record<string, unknown>;

const strangerIs = (role: ResellerRole): Actor => ({
  kind: "reseller_user",
  userId: strangerId,
  resellerId: stranger.id,
  role,
});
const contextOf = (actor: Actor) => world.context(actor, { settings: mailSettings(world, true) });

/** Everything of the owner, by each name under which a service takes it, so that each call names something that exists. */
beforeAll(async () => {
  world = await newWorld();
  [owner, stranger] = [await world.reseller(), await world.reseller()];
  const user = contextOf(actors.user(owner.id));
  const license = await owner.register();
  await setLicenseNotes(user, { licenseId: license.licenseId, notes: MARK });
  const { ipAddress } = await owner.license(license.licenseId);
  const { bundleId, cycleId } = await world.bundleOffer(owner.id);
  const bundle = await registerBundle(owner.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  const key = await createResellerApiKey(user, { name: MARK, scopes: ["licenses:read"] });
  const { endpoint } = await createWebhookEndpoint(user, { url: "https://hooks.invalid/", description: MARK });
  const { userId } = await createUser(contextOf({ kind: "system", name: "test" }), {
    email: `${MARK}@example.com`,
    name: MARK,
    resellerId: owner.id,
    role: "owner",
  });
  const them = { email: "stranger@example.com", name: "Stranger", resellerId: stranger.id, role: "owner" };
  strangerId = (await createUser(contextOf({ kind: "system", name: "test" }), them)).userId;
  const topUp = await requestTopUp(user, { amount: "5", reference: MARK, method: "card" });
  const change = { kind: "set_notes", notes: MARK } as const;
  const selection = { licenseIds: [license.licenseId] };
  const { jobId } = await startLicenseBulk(user, { change, selection, agreed: { count: 1, total: 0n } });
  input = {
    resellerId: owner.id,
    licenseId: license.licenseId,
    licenseKey: license.licenseKey,
    ipAddress,
    address: ipAddress,
    from: ipAddress,
    to: world.freshIp(),
    newIp: world.freshIp(),
    bundleInstanceId: bundle.instance.id,
    operationId: license.operation.id,
    apiKeyId: key.apiKeyId,
    endpointId: endpoint.id,
    deliveryId: 1,
    eventId: 1,
    userId,
    requestId: topUp.id,
    jobId,
    change,
    selection,
    agreed: { count: 1, total: 0n },
    agreedTotal: 0n,
    role: "viewer",
    disabled: true,
    paused: true,
    on: true,
    testMode: false,
    notes: "taken over",
    hostname: "taken.example",
    cores: 2,
    limit: 10,
    before: null,
    after: null,
    order: "newest",
    filter: {},
    text: MARK,
    days: 30,
    codes: null,
  };
});
afterAll(() => world.close());

async function ask(name: string, service: (ctx: never, input: unknown) => unknown, actor: Actor) {
  const ctx = contextOf(actor) as never;
  const given = name === "sandbox/open.openSandboxOf" ? owner.id : input;
  try {
    const result = service(ctx, given);
    const value = Symbol.asyncIterator in Object(result) ? await (result as AsyncGenerator).next() : await result;
    return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part)) ?? "";
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

test("the owner's own users reach what the input names", async () => {
  const names = [
    "license/get.getLicense",
    "api-key/get.getApiKey",
    "bundle/get.getBundleInstance",
    "bulk/get.getBulkJob",
  ];
  for (const [name, service] of services.filter(([name]) => names.includes(name))) {
    expect(`${name}: ${await ask(name, service, actors.user(owner.id))}`).not.toContain("refused");
  }
  const [, getLicense] = services.find(([name]) => name === names[0]) ?? expect.unreachable();
  expect(await ask("", getLicense, actors.user(owner.id))).toContain(MARK);
});

describe.each(resellerRoleNames)("a %s of another reseller", (role) => {
  test("reads and changes nothing of the owner, whatever service is called with whatever id", async () => {
    const before = await digestTenant(world.db, owner.id);
    for (const [name, service] of services) {
      const answer = await ask(name, service, strangerIs(role));
      expect(`${name}: ${answer.includes(MARK)}`).toBe(`${name}: false`);
    }
    expect(await digestTenant(world.db, owner.id)).toEqual(before);
  });
});
