import { findCycleCost } from "#lib/db/catalog/cycle-price.ts";
import { parseMajor, toMajorText } from "#lib/domain/money.ts";
import { extraCores } from "#lib/domain/pricing.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { PlanCharge } from "./execute-plan.ts";

/** Shows the operator each purchase that did not cost what the last import said. Never throws: the purchase is done. */
export async function reportOtherCharges(
  ctx: ServiceContext,
  providerName: string,
  charges: readonly PlanCharge[],
): Promise<void> {
  if (charges.length === 0) return;
  try {
    const provider = await ctx.providers.get(providerName);
    for (const charge of charges) {
      const problem = await findDifference(ctx, providerName, charge);
      if (problem !== null) provider?.reportProblem?.(problem);
    }
  } catch {
    // The next purchase of the cycle shows it.
  }
}

async function findDifference(
  ctx: ServiceContext,
  providerName: string,
  { request, charged }: PlanCharge,
): Promise<string | null> {
  const cost = await findCycleCost(ctx.db, providerName, request);
  if (!cost) return null;
  const { slug, currency, price, setupFee, perCore } = cost;
  const cores = BigInt(extraCores(request.cores ?? 0));
  const expected = price + (request.action === "provision" ? setupFee : 0n) + perCore * cores;
  if (charged.currency === currency && parseMajor(charged.price, currency) === expected) return null;
  const known = `${toMajorText(expected, currency)} ${currency}`;
  return `Charges ${charged.price} ${charged.currency} for ${slug}; at the last import it was ${known}. Import its prices again.`;
}
