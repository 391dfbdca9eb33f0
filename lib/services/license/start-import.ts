import { DomainError } from "#lib/domain/errors.ts";
import type { BulkJobId } from "#lib/domain/ids.ts";
import { startBulkJob } from "#lib/services/bulk/start.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type ImportInput, planOwnImport } from "./plan-import.ts";

export interface StartImportInput extends ImportInput {
  /** What the plan said when it was agreed to. */
  readonly agreedCount: number;
  /** Minor units. */
  readonly agreedTotal: bigint;
}

/**
 * Starts a bulk job that registers the rows of a file that have no problems, each at the price that was agreed to.
 * @throws DomainError `permission_denied`, `parameters_invalid` (the file cannot be read), `state_invalid` (no row can be
 *   registered), `conflict` (it would be other rows, or another total, than agreed)
 */
export async function startLicenseImport(ctx: ServiceContext, input: StartImportInput): Promise<{ jobId: BulkJobId }> {
  const resellerId = requireResellerUser(ctx);
  const { registrations, total, currency } = await planOwnImport(ctx, resellerId, input);
  if (registrations.length !== input.agreedCount || total !== input.agreedTotal) {
    throw new DomainError("conflict", "Prices or addresses have changed since the file was checked: check it again.");
  }
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
