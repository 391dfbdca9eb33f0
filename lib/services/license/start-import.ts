import { DomainError } from "#lib/domain/errors.ts";
import type { BulkJobId } from "#lib/domain/ids.ts";
import { isPrivateAddress } from "#lib/domain/license-address.ts";
import { priceChanged } from "#lib/domain/refused-charge.ts";
import { startBulkJob } from "#lib/services/bulk/start.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type ImportInput, planOwnImport } from "./plan-import.ts";

export interface StartImportInput extends ImportInput {
  /** Rows of the plan that the caller saw. */
  readonly agreedCount: number;
  /** Minor units. */
  readonly agreedTotal: bigint;
  /** Permits private addresses (contract 1.8). */
  readonly allowPrivateAddresses: boolean;
}

/**
 * Starts a job that registers the rows without problems at the agreed prices.
 * @throws DomainError `parameters_invalid` (unreadable file, or private addresses without consent),
 *   `state_invalid` (no rows to register), `conflict` (another number of rows than agreed), `price_changed` (another total)
 */
export async function startLicenseImport(ctx: ServiceContext, input: StartImportInput): Promise<{ jobId: BulkJobId }> {
  const resellerId = requireResellerUser(ctx, "wallet:spend");
  const { registrations, total, currency } = await planOwnImport(ctx, resellerId, input);
  if (registrations.length !== input.agreedCount) {
    throw new DomainError("conflict", "Products or addresses have changed since the file was checked. Check it again.");
  }
  const privateCount = registrations.filter(({ ipAddress }) => isPrivateAddress(ipAddress)).length;
  if (privateCount > 0 && !input.allowPrivateAddresses) {
    const message = `Confirm the private addresses in the file (${privateCount}).`;
    throw new DomainError("parameters_invalid", message, { details: { allow_private_addresses: message } });
  }
  if (total !== input.agreedTotal) throw priceChanged(total, currency);
  const items = registrations.map(({ price, ...registration }) => ({
    input: { ...registration, price: price.toString() },
  }));
  const jobId = await startBulkJob(ctx, resellerId, {
    kind: "register",
    parameters: {},
    items,
    quotedTotal: total,
    currency,
  });
  return { jobId };
}
