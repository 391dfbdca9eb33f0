import { setTimeout as sleep } from "node:timers/promises";
import { listProductOffers } from "#lib/db/catalog/offer.ts";
import { countCatalog } from "#lib/db/seed/catalog.ts";
import type { ApiKeyId, ResellerId } from "#lib/domain/ids.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { scopes } from "#lib/domain/scopes.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import { getRuntime } from "#lib/runtime.ts";
import { seedCatalog } from "#lib/seed/catalog.ts";
import type { Actor, ServiceContext } from "#lib/services/context.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";

/** A reseller with enough money for a run, and its product. */
export interface BenchWallet {
  readonly resellerId: ResellerId;
  readonly productId: number;
  readonly cycleId: number;
}

export type Register = (wallet: BenchWallet) => Promise<unknown>;

export const operator = () => getRuntime().contextFor({ kind: "system", name: "bench" }, { requestId: "bench" });

export async function makeWallets(count: number): Promise<BenchWallet[]> {
  const { db } = getRuntime();
  if ((await countCatalog(db)).products === 0) await seedCatalog(db);
  const wallets: BenchWallet[] = [];
  for (let index = 0; index < count; index++) {
    const email = `${crypto.randomUUID()}@bench.example`;
    const { resellerId } = await createReseller(operator(), { name: "Bench", email, currency: "USD" });
    await topUpWallet(operator(), { resellerId, amount: "9000000.00", note: "Benchmark" });
    const product = (await listProductOffers(db, resellerId)).find(({ type }) => type === "control_panel");
    const cycle = product?.cycles[0];
    if (!product || !cycle) throw new Error("the catalog has no control panel");
    wallets.push({ resellerId, productId: product.productId, cycleId: cycle.cycleId });
  }
  return wallets;
}

let addresses = 0;

export function nextAddress(): LicenseAddress {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}` as LicenseAddress;
}

/** The service that both interfaces and the dashboard call. `providerMs`: how long the provider takes. */
export function ourVersion({ providerMs = 0 } = {}): Register {
  return async ({ resellerId, productId, cycleId }) => {
    const ctx = keyContext(resellerId);
    const { pending } = await registerLicense(providerMs > 0 ? slowed(ctx, providerMs) : ctx, {
      productId,
      cycleId,
      ipAddress: nextAddress(),
    });
    if (pending) throw new Error("a registration of the benchmark is pending");
  };
}

/** A program of the reseller, which may do everything. */
export function keyContext(resellerId: ResellerId): ServiceContext {
  const actor: Actor = {
    kind: "api_key",
    apiKeyId: 0 as ApiKeyId,
    firstKeyId: 0 as ApiKeyId,
    resellerId,
    scopes: new Set(scopes),
    licenseId: null,
    spendingKeyId: null,
  };
  return getRuntime().contextFor(actor, { requestId: "bench" });
}

function slowed(ctx: ServiceContext, providerMs: number): ServiceContext {
  const get = async (name: string): Promise<LicenseProvider | undefined> => {
    const provider = await ctx.providers.get(name);
    if (!provider) return undefined;
    const execute: LicenseProvider["execute"] = async (request, maySend) => {
      await sleep(providerMs);
      return provider.execute(request, maySend);
    };
    return Object.assign(Object.create(provider), { execute });
  };
  return { ...ctx, providers: { get } };
}
