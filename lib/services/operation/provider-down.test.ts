import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { setApiKeySpendingLimit } from "#lib/services/api-key/set-spending-limit.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { setResellerSuspended } from "#lib/services/reseller/settings.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf, ip } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { occupy } from "#tests/support/server.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { previewCharge } from "./preview-charge.ts";

let world: World;
let reseller: ResellerWorld;
let taken: LicenseAddress;
beforeAll(async () => {
  world = await newWorld();
  taken = world.freshIp();
  await occupy(world, taken, "control_panel");
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

const health = { state: "open", accepts: false, lastSuccessAt: null, lastFailure: null, lastLatencyMs: null } as const;

/** A caller whose license provider is down. */
const inOutage = (ctx: ServiceContext): ServiceContext => ({
  ...ctx,
  providers: new Map([[world.provider.name, { ...world.provider, health: () => health }]]),
});

async function register(ctx: ServiceContext, address: string): Promise<unknown> {
  const { productId, cycleId } = await world.offer(reseller.id, "control_panel");
  return registerLicense(ctx, { productId, cycleId, ipAddress: ip(address) });
}

/** A key of the reseller that may spend 1.00 a month. */
async function limited(): Promise<ServiceContext> {
  const user = world.context(actors.user(reseller.id));
  const { apiKeyId } = await createResellerApiKey(user, { name: "shop", scopes: ["licenses:write"] });
  await setApiKeySpendingLimit(user, { apiKeyId, limit: "1" });
  return world.context({
    kind: "api_key",
    apiKeyId,
    firstKeyId: apiKeyId,
    resellerId: reseller.id,
    scopes: new Set(["licenses:write"]),
    licenseId: null,
    spendingKeyId: apiKeyId,
  });
}

describe.each([
  ["a registration", (ctx: ServiceContext, address: string) => register(ctx, address)],
  ["its preview", (ctx: ServiceContext, address: string) => previewCharge(ctx, (ctx) => register(ctx, address))],
])("while the provider is down, %s", (_, attempt) => {
  const answer = (ctx: ServiceContext, address = world.freshIp()) => codeOf(attempt(inOutage(ctx), address));

  test("is rejected for its own reason first (contract 1.3)", async () => {
    expect(await answer(reseller.context(), taken)).toBe("registration_address_taken");
    expect(await answer(await limited())).toBe("spending_limit_reached");
    const poor = await world.reseller({ funds: "4.50" });
    expect(await answer(poor.context())).toBe("insufficient_balance");
    await setResellerSuspended(world.operator, { resellerId: reseller.id, suspended: true, reason: "Unpaid" });
    expect(await answer(reseller.context())).toBe("reseller_suspended");
  });

  test("is otherwise told that, and nothing is held", async () => {
    expect(await answer(reseller.context())).toBe("provider_unavailable");
    expect(await reseller.operations()).toEqual([]);
    expect(await reseller.wallet()).toMatchObject({ held: 0n, posted: 100_000n });
  });

  test("reveals no more addresses than the day allows (contract 1.12)", async () => {
    await world.db.query(
      sql(`insert into address_lookups (reseller_id, day, count)
           values ($1, (clock_timestamp() at time zone 'UTC')::date, 200)`),
      [reseller.id],
    );
    expect(await answer(reseller.context(), taken)).toBe("rate_limited");
    expect(await answer(reseller.context())).toBe("rate_limited");
  });
});

test("while the provider is down, a free move to a taken address is rejected as such", async () => {
  const { licenseId } = await reseller.register();
  const move = (address: string) =>
    codeOf(changeLicenseIp(inOutage(reseller.context()), { licenseId, newIp: ip(address) }));
  expect(await move(taken)).toBe("ip_change_address_taken");
  expect(await move(world.freshIp())).toBe("provider_unavailable");
});
