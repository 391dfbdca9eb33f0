import { DomainError } from "#lib/domain/errors.ts";
import type { BulkJobId } from "#lib/domain/ids.ts";
import { isPrivateAddress } from "#lib/domain/license-address.ts";
import { priceChanged } from "#lib/domain/refused-charge.ts";
import { startBulkJob } from "#lib/services/bulk/start.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type ImportInput, planOwnImport } from "./plan-import.ts";

export interface StartImportInput extends ImportInput {
  /** What the plan said when it was agreed to. */
  readonly agreedCount: number;
  /** Minor units. */
  readonly agreedTotal: bigint;
  /** Private addresses in it are meant (contract 1.8). */
  readonly privateMeant: boolean;
}

/**
 * Starts a bulk job that registers the rows of a file that have no problems, each at the price that was agreed to.
 * @throws DomainError `permission_denied`, `parameters_invalid` (the file cannot be read, or it was not said that private addresses
 *   in it are meant), `state_invalid` (no row can be
 *   registered), `conflict` (it would be another number of rows than agreed), `price_changed` (as many, at another
 *   total)
 */
export async function startLicenseImport(ctx: ServiceContext, input: StartImportInput): Promise<{ jobId: BulkJobId }> {
  const resellerId = requireResellerUser(ctx);
  const { registrations, total, currency } = await planOwnImport(ctx, resellerId, input);
  if (registrations.length !== input.agreedCount) {
    throw new DomainError("conflict", "Products or addresses have changed since the file was checked: check it again.");
  }
  const privateCount = registrations.filter(({ ipAddress }) => isPrivateAddress(ipAddress)).length;
  if (privateCount > 0 && !input.privateMeant) {
    const message = `Private addresses among them: ${privateCount}. Confirm that they are meant.`;
    throw new DomainError("parameters_invalid", message, { details: { private_meant: message } });
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
