import {
  countVerifications,
  type VerificationCountRow,
  type VerificationPlace,
  type VerificationRow,
  verificationListing,
} from "#lib/db/license/verification.ts";
import type { VerificationCode } from "#lib/domain/license-status.ts";
import { keptMs } from "#lib/domain/retention.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { type Page, type PageInput, readPage } from "#lib/services/page.ts";
import { getOwnLicense } from "./get.ts";

export type { VerificationCountRow, VerificationPlace, VerificationRow } from "#lib/db/license/verification.ts";

const DAY_MS = 86_400_000;

/**
 * Verifications of a license in the last 90 days, newest first. `codes` null: all; `before`: `next` of the previous page.
 * @throws DomainError `license_not_found`, also for another reseller's (contract 1.12).
 */
export async function listVerifications(
  ctx: ServiceContext,
  input: PageInput<VerificationPlace> & {
    readonly licenseId: number;
    readonly codes: readonly VerificationCode[] | null;
  },
): Promise<Page<VerificationRow, VerificationPlace>> {
  const resellerId = requireReseller(ctx, "licenses:read");
  await getOwnLicense(ctx, resellerId, input.licenseId);
  const since = new Date(ctx.now().getTime() - keptMs("verifications"));
  const reads = await ctx.db.reads();
  return readPage(input, verificationListing(reads, resellerId, { ...input, since }), ({ checkedAt, id }) => ({
    checkedAt,
    id,
  }));
}

/**
 * Counts verifications by day and code over the last `days` UTC days, including today.
 * @throws DomainError `license_not_found`, also for another reseller's (contract 1.12).
 */
export async function summarizeVerifications(
  ctx: ServiceContext,
  input: { readonly licenseId: number; readonly days: number },
): Promise<{ readonly firstDay: Date; readonly counts: readonly VerificationCountRow[] }> {
  const resellerId = requireReseller(ctx, "licenses:read");
  await getOwnLicense(ctx, resellerId, input.licenseId);
  const nowMs = ctx.now().getTime();
  const firstDay = new Date(nowMs - (nowMs % DAY_MS) - (input.days - 1) * DAY_MS);
  return { firstDay, counts: await countVerifications(await ctx.db.reads(), resellerId, input.licenseId, firstDay) };
}
