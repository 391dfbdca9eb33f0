import { advanceLicenseRow } from "#lib/db/reseller/sandbox.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireSandbox } from "./open.ts";

const MS_PER_DAY = 86_400_000;
const MAX_DAYS = 3_650;
/** Notices are sent as an end passes, so the new end is ahead of them by this much. */
const AHEAD_MS = 10_000;

/**
 * Moves a license of the sandbox, with its bundle, to so many days before its end; 0: it expires within seconds.
 * Notices and renewals of the skipped time do not happen.
 * @throws DomainError `state_invalid` in live mode, or if the license ends earlier, is pending, terminated or being
 *   changed; `parameters_invalid`
 */
export async function advanceLicense(
  ctx: ServiceContext,
  input: { readonly licenseId: LicenseId; readonly daysBeforeEnd: number },
): Promise<void> {
  const { sandboxId } = await requireSandbox(ctx);
  const { licenseId, daysBeforeEnd } = input;
  const isDays = Number.isInteger(daysBeforeEnd) && daysBeforeEnd >= 0 && daysBeforeEnd <= MAX_DAYS;
  if (!isDays) throw malformed("days", `must be 0 to ${MAX_DAYS}`);
  const endsAt = new Date(Math.ceil((ctx.now().getTime() + daysBeforeEnd * MS_PER_DAY + AHEAD_MS) / 1_000) * 1_000);
  if (await advanceLicenseRow(writesOf(ctx), sandboxId, licenseId, endsAt)) return;
  throw new DomainError(
    "state_invalid",
    "This license cannot be moved there: it ends earlier, is not confirmed, is being changed, or has been terminated.",
  );
}
