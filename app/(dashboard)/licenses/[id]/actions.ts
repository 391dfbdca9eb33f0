"use server";
import { z } from "zod";
import { agreedPrice } from "#app/(dashboard)/fields.ts";
import type { ActionResult } from "#components/form/action-result.ts";
import type {
  LicenseChanged,
  Renewed,
  RenewInput,
  SuspendInput,
  UnsuspendInput,
} from "#components/license/license-details.ts";
import type { AutoRenewChosen, AutoRenewInput } from "#components/renewal/auto-renew.ts";
import { partsOf, runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { parameter } from "#lib/http/parameters.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import type { SeenLicense } from "./present.ts";

export async function renew(
  seen: SeenLicense,
  input: RenewInput,
  idempotencyKey: string,
): Promise<ActionResult<Renewed>> {
  const { licenseId, seenVersion } = partsOf(seen);
  const result = await runAction({
    name: "licenses.renew",
    schema: z.object({ license_id: parameter.integer, cycle_id: parameter.integer, agreed_price: agreedPrice }),
    input: { ...input, license_id: licenseId },
    idempotencyKey,
    seenVersion,
    run: async (ctx, { license_id, cycle_id, agreed_price }) => {
      const renewed = await renewLicense(ctx, {
        licenseId: license_id,
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
  return shownAnew(result, "/licenses");
}

export async function suspend(input: SuspendInput, idempotencyKey: string): Promise<ActionResult<LicenseChanged>> {
  const result = await runAction({
    name: "licenses.suspend",
    schema: z.object({ license_id: parameter.integer, reason: parameter.reason }),
    input,
    idempotencyKey,
    run: async (ctx, { license_id, reason }) => {
      const { providerStatus } = await suspendLicense(ctx, { licenseId: license_id, reason });
      return { pending: providerStatus === "pending" };
    },
  });
  return shownAnew(result, "/licenses");
}

export async function unsuspend(input: UnsuspendInput, idempotencyKey: string): Promise<ActionResult<LicenseChanged>> {
  const result = await runAction({
    name: "licenses.unsuspend",
    schema: z.object({ license_id: parameter.integer }),
    input,
    idempotencyKey,
    run: async (ctx, { license_id }) => {
      const { providerStatus } = await unsuspendLicense(ctx, { licenseId: license_id });
      return { pending: providerStatus === "pending" };
    },
  });
  return shownAnew(result, "/licenses");
}

export async function setAutoRenew(
  licenseId: number,
  chosen: AutoRenewInput,
  idempotencyKey: string,
): Promise<ActionResult<AutoRenewChosen>> {
  const result = await runAction({
    name: "licenses.setAutoRenew",
    schema: z.object({ license_id: parameter.integer, on: z.boolean(), agreed_price: agreedPrice.nullable() }),
    input: { ...chosen, license_id: licenseId },
    idempotencyKey,
    run: async (ctx, { license_id, on, agreed_price }) => {
      const agreedPrice = agreed_price === null ? undefined : BigInt(agreed_price);
      const { autoRenew } = await setLicenseAutoRenew(ctx, { licenseId: license_id, on, agreedPrice });
      return { on: autoRenew };
    },
  });
  return shownAnew(result, "/licenses");
}
