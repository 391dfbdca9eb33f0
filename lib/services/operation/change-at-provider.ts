import { randomUUID } from "node:crypto";
import { findClaimedOperationId } from "#lib/db/idempotency/key.ts";
import {
  type AddressClaim,
  findOperation,
  type Hold,
  holdOperation,
  type NewBundleInstance,
  type NewLicense,
  type OperationRow,
  type SeenLicense,
} from "#lib/db/operation/operation.ts";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import { DomainError, isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { isOpen, type OperationKind, type OperationPlan, rejectionCodes } from "#lib/domain/operation.ts";
import { insufficientBalance, priceChanged } from "#lib/domain/refused-charge.ts";
import { actorName, type ServiceContext } from "#lib/services/context.ts";
import { acceptsRequests, providerUnavailable } from "#lib/services/provider/get.ts";
import { countRefusedLook, requireAddressLook } from "./address-look.ts";
import { abandonOperation, beginOperationLease } from "./lease.ts";
import { resumeOperation } from "./resume.ts";
import { requireSeenVersion } from "./seen-version.ts";
import { sendOperation } from "./send.ts";

/** What a verb wants done, before any of it has happened. */
interface OperationDraft {
  readonly kind: OperationKind;
  /** Names the operation's provider requests after `operationId`, so that each is carried out once. */
  readonly plan: (operationId: string) => OperationPlan;
  readonly licenseId?: number;
  readonly bundleInstanceId?: number;
  readonly newLicenses?: readonly NewLicense[];
  readonly newInstance?: NewBundleInstance;
  /** As they were read for the draft: one that changes before the hold is refused, as the plan rests on it. */
  readonly lockLicenses?: readonly SeenLicense[];
  readonly lockInstanceId?: number;
  readonly claims?: readonly AddressClaim[];
}

/** Costs nothing. */
export interface FreeDraft extends OperationDraft {
  readonly price?: never;
  readonly currency?: never;
}

export interface PricedDraft extends OperationDraft {
  /** Minor units of `currency`; negative for a credit. */
  readonly price: bigint;
  readonly currency: Currency;
}

/** What the caller agreed to pay, in minor units: at another price nothing happens (contract 3.15). */
export interface Agreement {
  /** Undefined: whatever it costs. */
  readonly agreedPrice?: bigint | undefined;
}

/** An operation as its caller is told of it: settled with success, or pending (contract 3.11). */
export interface OperationResult {
  readonly operation: OperationRow;
  readonly pending: boolean;
  /** Minor units: what can be spent right after the charge, or while the money is held. */
  readonly balanceAfter: bigint;
}

/**
 * Hold → commit → call → settle. `draft` makes every check and is not called when an interrupted request under the
 * same idempotency key has begun the operation and it was not refused: then its outcome is told instead. A draft of null: nothing to do.
 *
 * @throws DomainError of the draft; `changed_meanwhile`; `insufficient_balance`; `reseller_suspended`; `state_invalid`;
 *   `rate_limited` (contract 1.12); `idempotency_in_progress` when another request has taken over the idempotency key; the
 *   kind's rejection code when the provider refuses; `provider_unavailable` when it could not be reached (nothing was sent,
 *   nothing is held).
 */
export async function changeAtProvider<Draft extends FreeDraft | null>(
  ctx: ServiceContext,
  resellerId: ResellerId,
  draft: () => Promise<Draft>,
): Promise<OperationResult | (null extends Draft ? null : never)>;
export async function changeAtProvider(
  ctx: ServiceContext,
  resellerId: ResellerId,
  draft: () => Promise<FreeDraft | null>,
): Promise<OperationResult | null> {
  const earlier = await findEarlierOutcome(ctx, resellerId);
  if (earlier) return earlier;
  const startedAt = ctx.now();
  const drafted = await draft();
  requireSeenVersion(ctx, drafted?.lockLicenses ?? []);
  if (drafted?.claims?.length) await requireAddressLook(ctx, resellerId);
  return drafted && carryOut(ctx, resellerId, startedAt, drafted);
}

/**
 * The same for what has a price. A price other than the agreed one is refused before anything is held, and before the
 * balance is checked.
 *
 * @throws DomainError `price_changed`, and those of `changeAtProvider`.
 */
export async function chargeAtProvider<Draft extends PricedDraft | null>(
  ctx: ServiceContext,
  resellerId: ResellerId,
  agreement: Agreement,
  draft: () => Promise<Draft>,
): Promise<OperationResult | (null extends Draft ? null : never)>;
export async function chargeAtProvider(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { agreedPrice }: Agreement,
  draft: () => Promise<PricedDraft | null>,
): Promise<OperationResult | null> {
  const earlier = await findEarlierOutcome(ctx, resellerId);
  if (earlier) return earlier;
  // Before the draft reads the clock: what it credits is never time that had passed when the operation began.
  const startedAt = ctx.now();
  const drafted = await draft();
  requireSeenVersion(ctx, drafted?.lockLicenses ?? []);
  const price = drafted?.price ?? 0n;
  requireAgreement(ctx, price, agreedPrice);
  if (agreedPrice !== undefined && agreedPrice !== price) {
    throw priceChanged(price, drafted?.currency ?? (await getWallet(ctx.db, resellerId)).currency);
  }
  return drafted && carryOut(ctx, resellerId, startedAt, drafted);
}

/** Only an API caller may leave the price open (contract 3.15): a person has seen one, and a worker was given one. */
function requireAgreement({ actor }: ServiceContext, price: bigint, agreedPrice: bigint | undefined): void {
  if (agreedPrice !== undefined || price === 0n || actor.kind === "api_key") return;
  throw new TypeError(`${actor.kind} is charged without having agreed to a price`);
}

async function carryOut(
  ctx: ServiceContext,
  resellerId: ResellerId,
  startedAt: Date,
  { plan, price = 0n, ...parts }: FreeDraft | PricedDraft,
): Promise<OperationResult> {
  const id = randomUUID();
  const storedPlan = plan(id);
  await requireReachableProvider(ctx, resellerId, storedPlan.provider, price);
  const lease = await beginOperationLease(ctx, id);
  const hold: Hold = {
    operation: {
      id,
      kind: parts.kind,
      reseller_id: resellerId,
      license_id: parts.licenseId ?? null,
      bundle_instance_id: parts.bundleInstanceId ?? null,
      hold_amount: price > 0n ? price : 0n,
      price,
      currency: parts.currency ?? null,
      plan: storedPlan,
      actor: actorName(ctx),
      request_id: ctx.requestId,
      owner_id: lease.ownerId,
      lease_token: lease.token,
      created_at: startedAt,
    },
    newLicenses: parts.newLicenses ?? [],
    newInstance: parts.newInstance ?? null,
    lockLicenses: parts.lockLicenses ?? [],
    lockInstanceId: parts.lockInstanceId ?? null,
    claims: parts.claims ?? [],
    idempotencyKey: ctx.claim && { key: ctx.claim.key, token: ctx.claim.lease.token },
  };
  const held = await holdOperation(ctx.db, hold).catch((error) => {
    // The statement may have been carried out all the same.
    if (!isDomainError(error) || error.code === "unavailable") abandonOperation(ctx, lease, id);
    return countRefusedLook(ctx, resellerId, [...hold.newLicenses, ...hold.claims], error);
  });
  return resultOf(ctx, await sendOperation(ctx, id, storedPlan, lease), held.spendable);
}

/** Refuses before anything is held while the provider is down; too low funds are told first (contract 1.3). */
async function requireReachableProvider(ctx: ServiceContext, resellerId: ResellerId, name: string, price: bigint) {
  if (await acceptsRequests(ctx, name)) return;
  const { posted, held, currency } = await getWallet(ctx.db, resellerId);
  const missing = price - (posted - held);
  if (missing > 0n) throw insufficientBalance(price, missing, currency);
  throw providerUnavailable();
}

/**
 * The outcome of the operation that an earlier request with the same key started. Null if it started none, or if the
 * provider rejected it and the caller has not been answered: neither leaves a trace, so the request starts over. After
 * a 202 it never starts over (contract 1.11).
 */
async function findEarlierOutcome(ctx: ServiceContext, resellerId: ResellerId): Promise<OperationResult | null> {
  const { claim, settledOperation } = ctx;
  if (claim?.pending.hasBegun()) throw new Error("an operation cannot start inside a transaction");
  if (settledOperation) return resultOf(ctx, settledOperation, 0n);
  const id = claim && (await findClaimedOperationId(ctx.db, resellerId, claim.key));
  const interrupted = id === null ? null : await findOperation(ctx.db, id);
  if (!interrupted) return null;
  const operation = await resumeOperation(ctx, interrupted);
  if (operation.state === "rejected") return null;
  const { posted, held } = await getWallet(ctx.db, resellerId);
  return resultOf(ctx, operation, posted - held);
}

function resultOf({ claim }: ServiceContext, operation: OperationRow, spendableWhileHeld: bigint): OperationResult {
  if (operation.state === "rejected") throw rejection(operation);
  const pending = isOpen(operation.state);
  if (claim) claim.isOpen = pending;
  return { operation, pending, balanceAfter: operation.balance_after ?? spendableWhileHeld };
}

function rejection({ kind, failure_message }: OperationRow): DomainError {
  const message = failure_message ?? "The provider rejected the request.";
  const code = rejectionCodes[kind];
  const field = { registration_rejected: "ip_address", ip_change_rejected: "new_ip", core_change_rejected: "cores" };
  const details = code in field ? { [field[code as keyof typeof field]]: message } : {};
  return new DomainError(code, message, { details });
}
