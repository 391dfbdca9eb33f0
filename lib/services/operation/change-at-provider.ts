import { randomUUID } from "node:crypto";
import type { BundleInstanceRow } from "#lib/db/bundle/instance.ts";
import { elapsedMs, type Moment, present } from "#lib/db/connection/database-clock.ts";
import { unavailable } from "#lib/db/connection/errors.ts";
import { findClaimedOperationId } from "#lib/db/idempotency/key.ts";
import {
  type AddressClaim,
  type Hold,
  holdOperation,
  type NewBundleInstance,
  type NewLicense,
  type SeenLicense,
} from "#lib/db/operation/hold.ts";
import { findOperation, type OperationRow } from "#lib/db/operation/operation.ts";
import type { RenewalRules } from "#lib/db/renewal/renewable.ts";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import { DomainError, isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { addressTakenCodes, isOpen, type OperationKind, rejectionCodes } from "#lib/domain/operation.ts";
import { type OperationPlan, PLAN_VERSION } from "#lib/domain/operation-plan.ts";
import { priceChanged } from "#lib/domain/refused-charge.ts";
import { actorName, type ServiceContext } from "#lib/services/context.ts";
import { requireUnlimitedSpending } from "#lib/services/renewals/agree.ts";
import { requireAddressLookupsLeft, rethrowRejectedHold } from "./address-lookup.ts";
import { findUnavailability } from "./execute-plan.ts";
import { abandonOperation, beginOperationLease } from "./lease.ts";
import { previewHold, tryHold } from "./preview-charge.ts";
import { beginProviderLookup } from "./provider-lookup.ts";
import { resumeOperation } from "./resume.ts";
import { requireSeenVersion } from "./seen-version.ts";
import { type SentOperation, sendOperation } from "./send.ts";

/** What took longer has slept: the term, the permission and the price that it read may be long over. */
const MAX_PLANNING_MS = 60_000;

/** What a service is about to do, before the hold. */
type PlannedOperation = { readonly [Kind in OperationKind]: PlannedChange<Kind> }[OperationKind];

interface PlannedChange<Kind extends OperationKind> {
  readonly kind: Kind;
  /** Derives the idempotency keys of the provider requests from `operationId`. */
  readonly plan: (operationId: string) => Omit<OperationPlan<Kind>, "version">;
  readonly licenseId?: number;
  readonly bundleInstance?: Pick<BundleInstanceRow, "id" | "version">;
  readonly newLicenses?: readonly NewLicense[];
  readonly newInstance?: NewBundleInstance;
  /** As read for the plan, like the bundle instance: the hold is rejected if one has changed since. */
  readonly lockLicenses?: readonly SeenLicense[];
  /** Of an automatic renewal: the rules by which it was judged. The hold is rejected if they have changed since. */
  readonly renewalRules?: RenewalRules | undefined;
  readonly claims?: readonly AddressClaim[];
}

export type FreeOperation = PlannedOperation & { readonly price?: never; readonly currency?: never };

export type PricedOperation = PlannedOperation & {
  /** Minor units of `currency`; negative for a credit. */
  readonly price: bigint;
  readonly currency: Currency;
  /** Auto-renew is on and charges more from then on: not for a key with a spending limit (contract 1.13). */
  readonly raisesAutoRenew?: boolean | undefined;
};

export interface Agreement {
  /** Minor units; any other price is rejected (contract 3.15). Undefined: any price. */
  readonly agreedPrice?: bigint | undefined;
}

/** An operation that succeeded or is pending (contract 3.11). */
export interface OperationResult {
  readonly operation: OperationRow;
  readonly pending: boolean;
  /** Available balance after the charge, or while the money is held; minor units. */
  readonly balanceAfter: bigint;
}

/**
 * Hold → commit → call → settle. `plan` runs every check at `now`, the start of the operation, so that no reading of the
 * clock contradicts another; null means there is nothing to do. It is skipped when an earlier request with the same
 * idempotency key started the operation and it was not rejected; that outcome is returned.
 *
 * @throws DomainError of `plan`; `changed_meanwhile`; `insufficient_balance`; `reseller_suspended`; `state_invalid`;
 *   `rate_limited` (contract 1.12, or a provider's own limit); `idempotency_in_progress` if another request has claimed
 *   the idempotency key; the kind's rejection code; `provider_unavailable` if the provider is unreachable,
 *   `provider_busy` if it accepts no more requests (nothing is sent or held); `unavailable` if this process has slept.
 */
export async function changeAtProvider<Planned extends FreeOperation | null>(
  ctx: ServiceContext,
  resellerId: ResellerId,
  plan: (now: Date) => Promise<Planned>,
): Promise<OperationResult | (null extends Planned ? null : never)>;
export async function changeAtProvider(
  ctx: ServiceContext,
  resellerId: ResellerId,
  plan: (now: Date) => Promise<FreeOperation | null>,
): Promise<OperationResult | null> {
  const earlier = await findEarlierOutcome(ctx, resellerId);
  if (earlier) return earlier;
  const start = { at: ctx.now(), moment: present() };
  const planned = await plan(start.at);
  requireSeenVersion(ctx, planned?.lockLicenses ?? []);
  if (planned?.claims?.length) await requireAddressLookupsLeft(ctx, resellerId);
  return planned && runOperation(ctx, resellerId, start, planned);
}

/**
 * `changeAtProvider` with a price. A price other than the agreed one is rejected first, then a key with a spending limit
 * that would raise what auto-renew charges; both before the balance is checked.
 *
 * @throws DomainError `price_changed`, `spending_limit_reached`, and those of `changeAtProvider`.
 */
export async function chargeAtProvider<Planned extends PricedOperation | null>(
  ctx: ServiceContext,
  resellerId: ResellerId,
  agreement: Agreement,
  plan: (now: Date) => Promise<Planned>,
): Promise<OperationResult | (null extends Planned ? null : never)>;
export async function chargeAtProvider(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { agreedPrice }: Agreement,
  plan: (now: Date) => Promise<PricedOperation | null>,
): Promise<OperationResult | null> {
  const earlier = await findEarlierOutcome(ctx, resellerId);
  if (earlier) return earlier;
  const start = { at: ctx.now(), moment: present() };
  const planned = await plan(start.at);
  requireSeenVersion(ctx, planned?.lockLicenses ?? []);
  const price = planned?.price ?? 0n;
  requireAgreedPrice(ctx, price, agreedPrice);
  if (agreedPrice !== undefined && agreedPrice !== price) {
    throw priceChanged(price, planned?.currency ?? (await getWallet(ctx.db, resellerId)).currency);
  }
  if (planned?.raisesAutoRenew) requireUnlimitedSpending(ctx);
  if (price === 0n && planned?.newLicenses?.length) await requireAddressLookupsLeft(ctx, resellerId);
  return planned && runOperation(ctx, resellerId, start, planned);
}

/** Only API keys may leave the price open (contract 3.15): users saw one, and workers were given one. */
function requireAgreedPrice({ actor }: ServiceContext, price: bigint, agreedPrice: bigint | undefined): void {
  if (agreedPrice !== undefined || price === 0n || actor.kind === "api_key") return;
  throw new TypeError(`${actor.kind} must agree to a price`);
}

async function runOperation(
  ctx: ServiceContext,
  resellerId: ResellerId,
  start: { readonly at: Date; readonly moment: Moment },
  { plan, price = 0n, ...parts }: FreeOperation | PricedOperation,
): Promise<OperationResult> {
  const id = randomUUID();
  const storedPlan: OperationPlan = { version: PLAN_VERSION, ...plan(id) };
  const lease = await beginOperationLease(ctx, id);
  const hold: Hold = {
    operation: {
      id,
      kind: parts.kind,
      reseller_id: resellerId,
      license_id: parts.licenseId ?? null,
      bundle_instance_id: parts.bundleInstance?.id ?? null,
      hold_amount: price > 0n ? price : 0n,
      price,
      currency: parts.currency ?? null,
      plan: storedPlan,
      actor: actorName(ctx),
      request_id: ctx.requestId,
      owner_id: lease.ownerId,
      lease_token: lease.token,
      created_at: start.at,
    },
    newLicenses: parts.newLicenses ?? [],
    newInstance: parts.newInstance ?? null,
    lockLicenses: parts.lockLicenses ?? [],
    instanceVersion: parts.bundleInstance?.version,
    renewalRules: parts.renewalRules,
    itemToken: ctx.item?.lease.token,
    claims: parts.claims ?? [],
    idempotencyKey: ctx.claim && { key: ctx.claim.key, token: ctx.claim.lease.token },
  };
  const unavailability = await findUnavailability(ctx, resellerId, storedPlan);
  if (unavailability !== null) {
    // The provider is the last check: every other refusal takes precedence (contract 1.3).
    await tryHold(ctx, resellerId, hold);
    throw unavailability;
  }
  const endLookup = await beginProviderLookup(ctx, resellerId, storedPlan).catch(async (refusal) => {
    await tryHold(ctx, resellerId, hold);
    throw refusal;
  });
  try {
    if (ctx.isPreview) return await previewHold(ctx, resellerId, hold);
    if (elapsedMs(start.moment) > MAX_PLANNING_MS) throw unavailable();
    const held = await holdOperation(ctx.db, hold).catch((error) => {
      // The statement may have committed.
      if (!isDomainError(error) || error.code === "unavailable") abandonOperation(ctx, lease, id);
      return rethrowRejectedHold(ctx, resellerId, hold, error);
    });
    return resultOf(ctx, await sendOperation(ctx, hold.operation, storedPlan, lease), held.spendable);
  } finally {
    await endLookup();
  }
}

/**
 * Result of the operation that an earlier request with the same key started. Null if it started none, or if the
 * provider rejected it before the caller got an answer: the request then starts over. After a 202 it never starts over
 * (contract 1.11).
 * @throws DomainError the kind's rejection code after a 202; `unavailable` while nothing was sent and the provider cannot
 *   be asked
 */
export async function findEarlierOutcome(ctx: ServiceContext, resellerId: ResellerId): Promise<OperationResult | null> {
  const { claim, item, settledOperation } = ctx;
  if ((claim ?? item)?.pending.hasBegun()) throw new Error("an operation cannot start inside a transaction");
  if (settledOperation) return resultOf(ctx, settledOperation, 0n);
  const id = claim && (await findClaimedOperationId(ctx.db, resellerId, claim.key));
  const interrupted = id === null ? null : await findOperation(ctx.db, id);
  if (!interrupted) return null;
  const operation = await resumeOperation(ctx, interrupted);
  if (operation.state === "rejected") return null;
  // Not sent, so not pending: "pending" would be final, and this operation will be rejected once the provider answers.
  if (operation.state === "held") throw unavailable();
  const { posted, held } = await getWallet(ctx.db, resellerId);
  return resultOf(ctx, operation, posted - held);
}

function resultOf({ claim }: ServiceContext, operation: SentOperation, spendableWhileHeld: bigint): OperationResult {
  if (operation.state === "rejected") throw rejection(operation);
  const pending = isOpen(operation.state);
  if (claim) claim.isOpen = pending;
  return { operation, pending, balanceAfter: operation.balance_after ?? spendableWhileHeld };
}

function rejection({ kind, failure_message, isAddressTaken, isReverted = false }: SentOperation): DomainError {
  const message = failure_message ?? "The provider rejected the request.";
  const code = rejectionCodes[kind];
  const field = { registration_rejected: "ip_address", ip_change_rejected: "new_ip", core_change_rejected: "cores" };
  const details = code in field ? { [field[code as keyof typeof field]]: message } : {};
  return new DomainError((isAddressTaken && addressTakenCodes[kind]) || code, message, {
    details,
    isTemporary: isReverted,
  });
}
