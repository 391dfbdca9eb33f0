import { randomUUID } from "node:crypto";
import { findClaimedOperationId } from "#lib/db/idempotency.ts";
import {
  type AddressClaim,
  findOperation,
  holdOperation,
  insufficientBalance,
  type NewBundleInstance,
  type NewLicense,
  type OperationRow,
  type SeenLicense,
} from "#lib/db/operation.ts";
import { getWallet } from "#lib/db/wallet.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { isOpen, type OperationKind, type OperationPlan, rejectionCodes } from "#lib/domain/operation.ts";
import { actorName, type ServiceContext } from "#lib/services/context.ts";
import { acceptsRequests, providerUnavailable } from "#lib/services/provider/get.ts";
import { reconcileOperation } from "./reconcile.ts";
import { requireSeenVersion } from "./seen-version.ts";
import { sendOperation } from "./send.ts";

/** What a verb wants done, before any of it has happened. */
export interface OperationDraft {
  readonly kind: OperationKind;
  /** Minor units; negative for a credit. Free unless told. */
  readonly price?: bigint;
  readonly currency?: Currency;
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

/** An operation as its caller is told of it: settled with success, or pending (decisions 3.11). */
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
 * @throws DomainError of the draft; `changed_meanwhile`; `insufficient_balance`; `state_invalid`; the kind's rejection code when the
 *   provider refuses; `provider_unavailable` when it could not be reached (nothing was sent, nothing is held).
 */
export async function changeAtProvider<Draft extends OperationDraft | null>(
  ctx: ServiceContext,
  resellerId: ResellerId,
  draft: () => Promise<Draft>,
): Promise<OperationResult | (null extends Draft ? null : never)>;
export async function changeAtProvider(
  ctx: ServiceContext,
  resellerId: ResellerId,
  draft: () => Promise<OperationDraft | null>,
): Promise<OperationResult | null> {
  const resumed = await resumeInterruptedOperation(ctx, resellerId);
  if (resumed) return resumed;

  const drafted = await draft();
  if (!drafted) return null;
  const { plan, price = 0n, ...parts } = drafted;
  requireSeenVersion(ctx, parts.lockLicenses ?? []);
  const id = randomUUID();
  const startedAt = ctx.now();
  const storedPlan = plan(id);
  await requireReachableProvider(ctx, resellerId, storedPlan.provider, price);
  const held = await holdOperation(ctx.db, {
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
      lease_until: new Date(startedAt.getTime() + ctx.settings.operationLeaseMs),
      created_at: startedAt,
    },
    newLicenses: parts.newLicenses ?? [],
    newInstance: parts.newInstance ?? null,
    lockLicenses: parts.lockLicenses ?? [],
    lockInstanceId: parts.lockInstanceId ?? null,
    claims: parts.claims ?? [],
    idempotencyKey: ctx.idempotencyKey,
  });
  return resultOf(await sendOperation(ctx, id, storedPlan), held.spendable);
}

/** Refuses before anything is held while the provider is down; too low funds are told first (decisions 1.3). */
async function requireReachableProvider(ctx: ServiceContext, resellerId: ResellerId, name: string, price: bigint) {
  if (await acceptsRequests(ctx, name)) return;
  const { posted, held } = await getWallet(ctx.db, resellerId);
  if (price > posted - held) throw insufficientBalance();
  throw providerUnavailable();
}

/**
 * Null: the request has begun nothing yet, or what it began came to nothing, by the provider's word. Nobody was told of
 * that, nothing of it is left, so it is begun anew.
 */
async function resumeInterruptedOperation(
  ctx: ServiceContext,
  resellerId: ResellerId,
): Promise<OperationResult | null> {
  if (ctx.idempotencyKey === null) return null;
  const id = await findClaimedOperationId(ctx.db, resellerId, ctx.idempotencyKey);
  const interrupted = id === null ? null : await findOperation(ctx.db, id);
  if (!interrupted) return null;
  const operation = await reconcileOperation(ctx, interrupted);
  if (operation.state === "rejected") return null;
  const { posted, held } = await getWallet(ctx.db, resellerId);
  return resultOf(operation, posted - held);
}

function resultOf(operation: OperationRow, spendableWhileHeld: bigint): OperationResult {
  if (operation.state === "rejected") throw rejection(operation);
  return {
    operation,
    pending: isOpen(operation.state),
    balanceAfter: operation.balance_after ?? spendableWhileHeld,
  };
}

function rejection({ kind, failure_message }: OperationRow): DomainError {
  const message = failure_message ?? "The provider refused the request.";
  const code = rejectionCodes[kind];
  const field = { registration_rejected: "ip_address", ip_change_rejected: "new_ip", core_change_rejected: "cores" };
  const details = code in field ? { [field[code as keyof typeof field]]: message } : {};
  return new DomainError(code, message, { details });
}
