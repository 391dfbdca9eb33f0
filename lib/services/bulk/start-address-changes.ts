import { DomainError } from "#lib/domain/errors.ts";
import type { BulkJobId } from "#lib/domain/ids.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { getResellerCurrency } from "#lib/services/wallet/amount.ts";
import { type MovableLicense, planOwnAddressChanges } from "./address-plan.ts";
import { findStartedJob, startBulkJob } from "./start.ts";

export interface AddressMove {
  readonly licenseId: number;
  /** Where the caller saw it. */
  readonly from: string;
  readonly to: LicenseAddress;
}

/**
 * Starts a job that gives each license its new address; each succeeds or fails on its own. Free (contract 3.5).
 * @throws DomainError `conflict` (a license has moved or cannot move any more), `parameters_invalid` (two licenses of a
 *   product on one address), `state_invalid` (none, or more than 200)
 */
export async function startAddressChanges(
  ctx: ServiceContext,
  { moves }: { readonly moves: readonly AddressMove[] },
): Promise<{ readonly jobId: BulkJobId }> {
  const resellerId = requireResellerUser(ctx, "licenses:write");
  const earlier = await findStartedJob(ctx, resellerId);
  if (earlier) return { jobId: earlier };
  const selection = { licenseIds: moves.map(({ licenseId }) => licenseId) };
  const { movable } = await planOwnAddressChanges(ctx, resellerId, selection);
  const licenses = new Map<number, MovableLicense>(movable.map((license) => [license.id, license]));
  const taken = new Set<string>();
  for (const { licenseId, from, to } of moves) {
    const license = licenses.get(licenseId);
    if (license?.ipAddress !== from) {
      throw new DomainError("conflict", "The selected licenses have changed. Check the list.");
    }
    const place = `${license.productId} ${to}`;
    if (taken.has(place)) throw givenTwice(license.productName, to);
    taken.add(place);
  }
  const jobId = await startBulkJob(ctx, resellerId, {
    kind: "change_ip",
    parameters: {},
    items: moves.map(({ licenseId, from, to }) => ({ licenseId, input: { from, to } })),
    quotedTotal: 0n,
    currency: await getResellerCurrency(ctx, resellerId),
  });
  return { jobId };
}

function givenTwice(productName: string, to: string): DomainError {
  const message = `${to} would get two licenses of ${productName}: one address can have only one.`;
  return new DomainError("parameters_invalid", message, { details: { new_ips: message } });
}
