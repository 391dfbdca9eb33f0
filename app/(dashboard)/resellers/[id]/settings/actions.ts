"use server";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { Done, ProfileInput, RenewalInput } from "#components/reseller/settings.ts";
import { partsOf, runAction } from "#lib/dashboard/action.ts";
import { requireAdminUser } from "#lib/dashboard/session.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { setRenewalSettings } from "#lib/services/reseller/set-renewal-settings.ts";
import { setResellerSuspended, updateReseller } from "#lib/services/reseller/settings.ts";
import { startActing } from "#lib/services/user/act-as.ts";

const done: Done = { done: true };
const profileSchema = z.object({ name: z.string(), email: z.string(), notes: z.string() });
const suspensionSchema = z.object({ suspended: z.boolean(), reason: z.string() });
const renewalSchema = z.object({ expiring_soon: z.string(), renew_ahead: z.string() });
/** What no text of days is: the service says what is expected. */
const NO_DAYS = 0;

/** The reseller, as the page showed it. */
interface SeenReseller {
  readonly resellerId: number;
  readonly seenVersion: string;
}

export async function saveProfile(
  seen: SeenReseller,
  input: ProfileInput,
  idempotencyKey: string,
): Promise<ActionResult<Done>> {
  const { resellerId, seenVersion } = partsOf(seen);
  const forReseller = resellerId as ResellerId;
  const result = await runAction({
    name: "resellers.settings.saveProfile",
    schema: profileSchema,
    input,
    idempotencyKey,
    forReseller,
    seenVersion,
    run: async (ctx, fields) => {
      await updateReseller(ctx, { resellerId: forReseller, ...fields });
      return done;
    },
  });
  return shownAnew(result, "/resellers");
}

export async function saveRenewals(
  seen: SeenReseller,
  input: RenewalInput,
  idempotencyKey: string,
): Promise<ActionResult<Done>> {
  const { resellerId, seenVersion } = partsOf(seen);
  const forReseller = resellerId as ResellerId;
  const result = await runAction({
    name: "resellers.settings.saveRenewals",
    schema: renewalSchema,
    input,
    idempotencyKey,
    forReseller,
    seenVersion,
    run: async (ctx, { expiring_soon, renew_ahead }) => {
      await setRenewalSettings(ctx, {
        resellerId: forReseller,
        expiringSoonDays: expiring_soon
          .split(/[\s,;]+/)
          .filter(Boolean)
          .map(daysOf),
        renewAheadDays: daysOf(renew_ahead.trim()),
      });
      return done;
    },
  });
  return shownAnew(result, "/resellers");
}

export async function suspend(
  resellerId: number,
  input: { readonly suspended: boolean; readonly reason: string },
  idempotencyKey: string,
): Promise<ActionResult<Done>> {
  const forReseller = resellerId as ResellerId;
  const result = await runAction({
    name: "resellers.settings.suspend",
    schema: suspensionSchema,
    input,
    idempotencyKey,
    forReseller,
    run: async (ctx, fields) => {
      await setResellerSuspended(ctx, { resellerId: forReseller, ...fields });
      return done;
    },
  });
  return shownAnew(result, "/resellers");
}

/** Needs no key: acting begins anew. */
export async function actAs(resellerId: number, input: null): Promise<ActionResult<Done>> {
  const { sessionId } = await requireAdminUser();
  return runAction({
    name: "resellers.settings.actAs",
    schema: z.null(),
    input,
    run: async (ctx) => {
      await startActing(ctx, { sessionId, resellerId: resellerId as ResellerId });
      return done;
    },
  });
}

function daysOf(text: string): number {
  return parsePositiveInteger(text) ?? NO_DAYS;
}
