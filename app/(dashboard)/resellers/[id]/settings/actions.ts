"use server";
import { z } from "zod";
import { id, seenVersion } from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { setRenewalSettings } from "#lib/services/reseller/set-renewal-settings.ts";
import { setResellerSuspended, updateReseller } from "#lib/services/reseller/settings.ts";
import { startActing } from "#lib/services/user/act-as.ts";

/** What no text of days is: the service says what is expected. */
const NO_DAYS = 0;

const resellerId = id<ResellerId>();
const seenReseller = z.strictObject({ resellerId, seenVersion });
const revalidate = ["/resellers"];

export const saveProfile = defineAction({
  name: "resellers.settings.saveProfile",
  bound: seenReseller,
  input: z.strictObject({ name: z.string(), email: z.string(), notes: z.string() }),
  revalidate,
  run: (ctx, fields, { resellerId }) => updateReseller(ctx, { ...fields, resellerId }),
});

export const saveRenewals = defineAction({
  name: "resellers.settings.saveRenewals",
  bound: seenReseller,
  input: z.strictObject({ expiring_soon: z.string(), renew_ahead: z.string() }),
  revalidate,
  run: async (ctx, { expiringSoon, renewAhead }, { resellerId }) => {
    const expiringSoonDays = expiringSoon
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map(daysOf);
    await setRenewalSettings(ctx, { resellerId, expiringSoonDays, renewAheadDays: daysOf(renewAhead.trim()) });
  },
});

export const suspend = defineAction({
  name: "resellers.settings.suspend",
  bound: z.strictObject({ resellerId }),
  input: z.strictObject({ suspended: z.boolean(), reason: z.string() }),
  revalidate,
  run: (ctx, fields, { resellerId }) => setResellerSuspended(ctx, { ...fields, resellerId }),
});

export const actAs = defineAction({
  name: "resellers.settings.actAs",
  bound: z.strictObject({ resellerId }),
  repeatable: true,
  asksProof: true,
  run: (ctx, _, reseller) => startActing(ctx, reseller),
});

function daysOf(text: string): number {
  return parsePositiveInteger(text) ?? NO_DAYS;
}
