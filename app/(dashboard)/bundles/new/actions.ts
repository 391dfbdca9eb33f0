"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import { serverAddress } from "#app/(dashboard)/fields.ts";
import type { BundleRegistered, RegisterBundleInput } from "#components/bundle/bundle-details.ts";
import type { ActionResult } from "#components/form/action-result.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { parameter } from "#lib/http/parameters.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";

const schema = z.object({
  bundle_id: parameter.integer,
  cycle_id: parameter.integer,
  ip_address: serverAddress,
});

export async function register(
  input: RegisterBundleInput,
  idempotencyKey: string,
): Promise<ActionResult<BundleRegistered>> {
  const result = await runAction({
    schema,
    input,
    idempotencyKey,
    run: async (ctx, { bundle_id, cycle_id, ip_address }) => {
      const registered = await registerBundle(ctx, { bundleId: bundle_id, cycleId: cycle_id, ipAddress: ip_address });
      return {
        bundleInstanceId: registered.instance.id,
        pending: registered.pending,
        balanceAfter: registered.balanceAfter.toString(),
        currency: registered.operation.currency,
      };
    },
  });
  // Lists that were looked at before must not come back without it.
  if (result.ok) {
    revalidatePath("/bundles");
    revalidatePath("/licenses");
  }
  return result;
}
