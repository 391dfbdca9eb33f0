"use server";
import { z } from "zod";
import type { SeenBundle } from "#app/(dashboard)/bundles/present.ts";
import { agreedPrice } from "#app/(dashboard)/fields.ts";
import type { ActionResult } from "#components/form/action-result.ts";
import type { LicenseChanged, Renewed, RenewInput } from "#components/license/license-details.ts";
import type { AutoRenewChosen, AutoRenewInput } from "#components/renewal/auto-renew.ts";
import { partsOf, runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { parameter } from "#lib/http/parameters.ts";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";

export async function renew(
  seen: SeenBundle,
  input: RenewInput,
  idempotencyKey: string,
): Promise<ActionResult<Renewed>> {
  const { bundleInstanceId, seenVersion } = partsOf(seen);
  const result = await runAction({
    name: "bundles.renew",
    schema: z.object({ bundle_instance_id: parameter.integer, cycle_id: parameter.integer, agreed_price: agreedPrice }),
    input: { ...input, bundle_instance_id: bundleInstanceId },
    idempotencyKey,
    seenVersion,
    run: async (ctx, { bundle_instance_id, cycle_id, agreed_price }) => {
      const renewed = await renewBundle(ctx, {
        bundleInstanceId: bundle_instance_id,
        cycleId: cycle_id,
        agreedPrice: BigInt(agreed_price),
      });
      return {
        pending: renewed.pending,
        newExpiry: renewed.newExpiry.toISOString(),
        balanceAfter: renewed.balanceAfter.toString(),
        currency: renewed.operation.currency,
      };
    },
  });
  return shownAnew(result, "/bundles", "/licenses");
}

export async function changeAddress(
  seen: SeenBundle,
  newIp: string,
  idempotencyKey: string,
): Promise<ActionResult<LicenseChanged>> {
  const { bundleInstanceId, seenVersion } = partsOf(seen);
  const result = await runAction({
    name: "bundles.changeAddress",
    schema: z.object({ bundle_instance_id: parameter.integer, new_ip: parameter.licenseAddress }),
    input: { bundle_instance_id: bundleInstanceId, new_ip: newIp },
    idempotencyKey,
    seenVersion,
    run: async (ctx, input) => {
      const changed = await changeBundleIp(ctx, { bundleInstanceId: input.bundle_instance_id, newIp: input.new_ip });
      return { pending: changed.providerStatus === "pending" };
    },
  });
  return shownAnew(result, "/bundles", "/licenses");
}

export async function setAutoRenew(
  bundleInstanceId: number,
  chosen: AutoRenewInput,
  idempotencyKey: string,
): Promise<ActionResult<AutoRenewChosen>> {
  const result = await runAction({
    name: "bundles.setAutoRenew",
    schema: z.object({ bundle_instance_id: parameter.integer, on: z.boolean(), agreed_price: agreedPrice.nullable() }),
    input: { ...chosen, bundle_instance_id: bundleInstanceId },
    idempotencyKey,
    run: async (ctx, { bundle_instance_id, on, agreed_price }) => {
      const agreedPrice = agreed_price === null ? undefined : BigInt(agreed_price);
      const { autoRenew } = await setBundleAutoRenew(ctx, { bundleInstanceId: bundle_instance_id, on, agreedPrice });
      return { on: autoRenew };
    },
  });
  return shownAnew(result, "/bundles", "/licenses");
}
