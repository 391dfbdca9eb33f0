"use server";
import { z } from "zod";
import type { SeenBundle } from "#app/(dashboard)/bundles/present.ts";
import type { ActionResult } from "#components/form/action-result.ts";
import type { LicenseChanged, Renewed } from "#components/license/license-details.ts";
import type { AutoRenewChosen } from "#components/renewal/auto-renew.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { parameter } from "#lib/http/parameters.ts";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";

export async function renew(
  { bundleInstanceId, seenVersion }: SeenBundle,
  cycleId: number,
  idempotencyKey: string,
): Promise<ActionResult<Renewed>> {
  const result = await runAction({
    schema: z.object({ bundle_instance_id: parameter.integer, cycle_id: parameter.integer }),
    input: { bundle_instance_id: bundleInstanceId, cycle_id: cycleId },
    idempotencyKey,
    seenVersion,
    run: async (ctx, input) => {
      const renewed = await renewBundle(ctx, { bundleInstanceId: input.bundle_instance_id, cycleId: input.cycle_id });
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
  { bundleInstanceId, seenVersion }: SeenBundle,
  newIp: string,
  idempotencyKey: string,
): Promise<ActionResult<LicenseChanged>> {
  const result = await runAction({
    schema: z.object({ bundle_instance_id: parameter.integer, new_ip: parameter.ipv4 }),
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
  on: boolean,
  idempotencyKey: string,
): Promise<ActionResult<AutoRenewChosen>> {
  const result = await runAction({
    schema: z.object({ bundle_instance_id: parameter.integer, on: z.boolean() }),
    input: { bundle_instance_id: bundleInstanceId, on },
    idempotencyKey,
    run: async (ctx, input) => {
      const { autoRenew } = await setBundleAutoRenew(ctx, { bundleInstanceId: input.bundle_instance_id, on: input.on });
      return { on: autoRenew };
    },
  });
  return shownAnew(result, "/bundles", "/licenses");
}
