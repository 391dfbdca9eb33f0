import { type RenewalSettings, updateRenewalSettings } from "#lib/db/renewal/settings.ts";
import { requireWellFormed } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { explainUnchanged } from "./settings.ts";

const MAX_DAYS = 90;
const MAX_NOTICES = 5;

/**
 * Sets when `license.expiring_soon` is emitted and how far ahead auto-renew renews. Absent fields are not changed.
 * @throws DomainError `parameters_invalid`, `not_found`, `changed_meanwhile`.
 */
export async function setRenewalSettings(
  ctx: ServiceContext,
  input: { readonly resellerId: ResellerId } & Partial<RenewalSettings>,
): Promise<RenewalSettings> {
  requireAdmin(ctx, "resellers:write");
  const { expiringSoonDays = [], renewAheadDays = 1 } = input;
  const isDays = (days: number) => Number.isInteger(days) && days >= 1 && days <= MAX_DAYS;
  const areNotices = expiringSoonDays.length <= MAX_NOTICES && expiringSoonDays.every(isDays);
  requireWellFormed({
    expiring_soon: !areNotices && `must be at most ${MAX_NOTICES} numbers of days from 1 to ${MAX_DAYS}`,
    renew_ahead: !isDays(renewAheadDays) && `must be days from 1 to ${MAX_DAYS}`,
  });
  const settings = await updateRenewalSettings(
    writesOf(ctx),
    { ...input, by: changedBy(ctx) },
    ctx.seenVersion ?? null,
  );
  if (!settings) throw await explainUnchanged(ctx.db, input.resellerId);
  return settings;
}
