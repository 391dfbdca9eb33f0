import { csvRecord } from "#lib/domain/csv.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { BulkJobId, ResellerId } from "#lib/domain/ids.ts";
import { formatTags, type Labels } from "#lib/domain/labels.ts";
import { isPrivateAddress, type LicenseAddress } from "#lib/domain/license-address.ts";
import type { Currency } from "#lib/domain/money.ts";
import { priceChanged } from "#lib/domain/refused-charge.ts";
import { startBulkJob } from "#lib/services/bulk/start.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type ImportInput, type ImportPlan, planOwnImport } from "./plan-import.ts";

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
  return startJob(ctx, resellerId, registrations, currency);
}

export interface StartRegistrationsInput {
  readonly productId: number;
  readonly cycleId: number;
  readonly ipAddresses: readonly LicenseAddress[];
  readonly notes: string;
  readonly labels: Labels;
  readonly autoRenew: boolean;
  /** Minor units, for all. */
  readonly agreedTotal: bigint;
}

/**
 * Starts a job that registers one product on several addresses, all of which are free.
 * @throws DomainError `parameters_invalid` (names the address that cannot be registered), `price_changed`
 */
export async function startRegistrations(
  ctx: ServiceContext,
  { productId, cycleId, ipAddresses, notes, labels, autoRenew, agreedTotal }: StartRegistrationsInput,
): Promise<{ jobId: BulkJobId }> {
  const resellerId = requireResellerUser(ctx, "wallet:spend");
  const shared = {
    product: String(productId),
    cycle: String(cycleId),
    notes,
    auto_renew: autoRenew ? "yes" : "no",
    customer_name: labels.customerName,
    customer_email: labels.customerEmail,
    customer_reference: labels.customerReference,
    tags: formatTags(labels.tags),
  };
  const rows = ipAddresses.map((address) => [address, ...Object.values(shared)]);
  const text = [["ip_address", ...Object.keys(shared)], ...rows].map(csvRecord).join("");
  const plan = await planOwnImport(ctx, resellerId, { text });
  const obstacle = plan.rows.find(({ registration }) => registration === null);
  if (obstacle) {
    const message = `${obstacle.cells.ip_address}: ${obstacle.problems[0]}`;
    throw new DomainError("parameters_invalid", message, { details: { ip_address: message } });
  }
  if (plan.total !== agreedTotal) throw priceChanged(plan.total, plan.currency);
  return startJob(ctx, resellerId, plan.registrations, plan.currency);
}

async function startJob(
  ctx: ServiceContext,
  resellerId: ResellerId,
  registrations: ImportPlan["registrations"],
  currency: Currency,
): Promise<{ jobId: BulkJobId }> {
  const jobId = await startBulkJob(ctx, resellerId, {
    kind: "register",
    parameters: {},
    items: registrations.map(({ price, ...registration }) => ({ input: { ...registration, price: price.toString() } })),
    quotedTotal: registrations.reduce((sum, { price }) => sum + price, 0n),
    currency,
  });
  return { jobId };
}
