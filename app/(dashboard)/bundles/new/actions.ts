"use server";
import { z } from "zod";
import { agreedPrice, askIfMeant, meantAddress, serverAddress } from "#app/(dashboard)/fields.ts";
import type { BundleRegistered, RegisterBundleInput } from "#components/bundle/bundle-details.ts";
import type { ActionResult } from "#components/form/action-result.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { parameter } from "#lib/http/parameters.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";

const schema = z
  .object({
    bundle_id: parameter.integer,
    cycle_id: parameter.integer,
    ip_address: serverAddress,
    meant_address: meantAddress,
    agreed_price: agreedPrice,
  })
  .check(askIfMeant);

export async function register(
  input: RegisterBundleInput,
  idempotencyKey: string,
): Promise<ActionResult<BundleRegistered>> {
  const result = await runAction({
    name: "bundles.new.register",
    schema,
    input,
    idempotencyKey,
    run: async (ctx, { bundle_id, cycle_id, ip_address, agreed_price }) => {
      const registered = await registerBundle(ctx, {
        bundleId: bundle_id,
        cycleId: cycle_id,
        ipAddress: ip_address,
        agreedPrice: BigInt(agreed_price),
      });
      return {
        bundleInstanceId: registered.instance.id,
        pending: registered.pending,
        balanceAfter: registered.balanceAfter.toString(),
        currency: registered.operation.currency,
      };
    },
  });
  return shownAnew(result, "/bundles", "/licenses");
}
