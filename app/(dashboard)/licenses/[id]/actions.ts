"use server";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { LicenseChanged, Renewed, SuspendInput, UnsuspendInput } from "#components/license/license-details.ts";
import type { AutoRenewChosen } from "#components/renewal/auto-renew.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { parameter } from "#lib/http/parameters.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import type { SeenLicense } from "./present.ts";

export async function renew(
  { licenseId, seenVersion }: SeenLicense,
  cycleId: number,
  idempotencyKey: string,
): Promise<ActionResult<Renewed>> {
  const result = await runAction({
    schema: z.object({ license_id: parameter.integer, cycle_id: parameter.integer }),
    input: { license_id: licenseId, cycle_id: cycleId },
    idempotencyKey,
    seenVersion,
    run: async (ctx, { license_id, cycle_id }) => {
      const renewed = await renewLicense(ctx, { licenseId: license_id, cycleId: cycle_id });
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
  on: boolean,
  idempotencyKey: string,
): Promise<ActionResult<AutoRenewChosen>> {
  const result = await runAction({
    schema: z.object({ license_id: parameter.integer, on: z.boolean() }),
    input: { license_id: licenseId, on },
    idempotencyKey,
    run: async (ctx, input) => {
      const { autoRenew } = await setLicenseAutoRenew(ctx, { licenseId: input.license_id, on: input.on });
      return { on: autoRenew };
    },
  });
  return shownAnew(result, "/licenses");
}
