import { DomainError } from "#lib/domain/errors.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { OperationKind, OperationPlan, OperationState } from "#lib/domain/operation.ts";
import type { Database } from "./client.ts";
import { findConstraint, findSqlState, sqlState } from "./errors.ts";

/** A row of `operations`. Money in minor units of `currency`. */
export interface OperationRow {
  readonly id: string;
  readonly kind: OperationKind;
  readonly state: OperationState;
  readonly reseller_id: number;
  readonly license_id: number | null;
  readonly bundle_instance_id: number | null;
  readonly hold_amount: bigint;
  readonly price: bigint;
  readonly currency: Currency;
  readonly plan: OperationPlan;
  readonly balance_after: bigint | null;
  readonly failure_message: string | null;
  readonly attempt: number;
  readonly lease_until: Date;
  readonly created_at: Date;
  readonly settled_at: Date | null;
}

export interface NewLicense {
  readonly key: string;
  readonly product_id: number;
  readonly cycle_id: number | null;
  readonly ip_address: string;
  readonly cores: number | null;
  readonly notes: string;
  /** Off unless told; of a bundle's members the instance has it. */
  readonly auto_renew?: boolean;
  readonly issued_at: Date;
  readonly anchored_at: Date;
  readonly expires_at: Date;
}

export interface NewBundleInstance {
  readonly bundle_id: number;
  readonly cycle_id: number;
  readonly ip_address: string;
  readonly issued_at: Date;
  readonly anchored_at: Date;
  readonly expires_at: Date;
}

/** A license as it was when the operation was planned: it must not have changed since. */
export interface SeenLicense {
  readonly id: number;
  readonly version: string;
}

export interface AddressClaim {
  readonly license_id: number;
  readonly ip_address: string;
  readonly valid_from: Date;
  readonly valid_until: Date;
}

export interface Hold {
  readonly operation: {
    readonly id: string;
    readonly kind: OperationKind;
    readonly reseller_id: number;
    readonly license_id: number | null;
    readonly bundle_instance_id: number | null;
    readonly hold_amount: bigint;
    readonly price: bigint;
    /** The reseller's own when null. */
    readonly currency: string | null;
    readonly plan: OperationPlan;
    readonly actor: string;
    readonly request_id: string;
    readonly lease_until: Date;
    readonly created_at: Date;
  };
  readonly newLicenses: readonly NewLicense[];
  readonly newInstance: NewBundleInstance | null;
  readonly lockLicenses: readonly SeenLicense[];
  readonly lockInstanceId: number | null;
  /** Addresses and periods to reserve until the operation has ended. */
  readonly claims: readonly AddressClaim[];
  readonly idempotencyKey: string | null;
}

export interface Held {
  /** New licenses in the order given, or the locked ones. */
  readonly licenseIds: number[];
  readonly bundleInstanceId: number | null;
  /** What can be spent while the money is held, in minor units. */
  readonly spendable: bigint;
}

function toJson(value: unknown): string {
  return JSON.stringify(value, (_, v) => (typeof v === "bigint" ? v.toString() : v));
}

/**
 * Reserves the money and the licenses of an operation in one statement, or throws and leaves nothing:
 * `insufficient_balance`, `state_invalid` (another operation is in flight, or has changed or ended it meanwhile), or that a live
 * license of the product has the address (decisions 3.3): named by the kind of operation.
 */
export async function holdOperation(db: Database, hold: Hold): Promise<Held> {
  try {
    const [row] = await db.query<{
      license_ids: number[] | null;
      bundle_instance_id: number | null;
      spendable: bigint;
    }>({
      name: "hold_operation",
      text: "select * from hold_operation($1::jsonb, $2::jsonb, $3::jsonb, $4::jsonb, $5::int, $6::jsonb, $7)",
      values: [
        toJson(hold.operation),
        hold.newLicenses.length > 0 ? toJson(hold.newLicenses) : null,
        hold.newInstance ? toJson(hold.newInstance) : null,
        hold.lockLicenses.length > 0 ? toJson(hold.lockLicenses.map(({ id, version }) => ({ id, version }))) : null,
        hold.lockInstanceId,
        hold.claims.length > 0 ? toJson(hold.claims) : null,
        hold.idempotencyKey,
      ],
    });
    if (!row) throw new Error("hold_operation returned no row");
    return { licenseIds: row.license_ids ?? [], bundleInstanceId: row.bundle_instance_id, spendable: row.spendable };
  } catch (error) {
    throw nameHoldFailure(error, hold.operation.kind);
  }
}

export function insufficientBalance(): DomainError {
  return new DomainError("insufficient_balance", "The wallet balance is too low for this charge.");
}

function nameHoldFailure(error: unknown, kind: OperationKind): unknown {
  switch (findSqlState(error)) {
    case sqlState.insufficientBalance:
      return insufficientBalance();
    case sqlState.busy:
      return new DomainError(
        "state_invalid",
        "Another operation has just changed this license, or is still open. Try again when it has ended.",
      );
    case sqlState.uniqueViolation:
      return findConstraint(error) === "operations_one_automatic_renewal_per_term"
        ? new DomainError("state_invalid", "This term is renewed already.")
        : error;
    case sqlState.exclusionViolation:
      return addressTaken(kind);
    default:
      return error;
  }
}

function addressTaken(kind: OperationKind): DomainError {
  const message = "The address already has a live license of this product.";
  switch (kind) {
    case "license_register":
    case "bundle_register":
      return new DomainError("registration_address_taken", message, { details: { ip_address: message } });
    case "license_change_ip":
    case "bundle_change_ip":
      return new DomainError("ip_change_address_taken", message, { details: { new_ip: message } });
    default:
      return new DomainError("state_invalid", `${message} It was registered after this license had expired.`);
  }
}

/**
 * held → sent. False when somebody else has taken the operation over.
 *
 * Does not wait for the disk, as the hold before it and the settlement after it do: the log is written in order, so what
 * a power cut can take away is this mark alone, and an operation that is still `held` is asked about like one that was sent.
 */
export async function markOperationSent(db: Database, id: string, now: Date): Promise<boolean> {
  const rows = await db.query({
    name: "mark_operation_sent",
    text: `
      with sent as (
        update operations set state = 'sent', sent_at = $2, attempt = attempt + 1 where id = $1 and state = 'held' returning id
      )
      select id, set_config('synchronous_commit', 'off', true) from sent`,
    values: [id, now],
  });
  return rows.length === 1;
}

/** sent → unknown: a worker asks the provider at `askAt`, woken by a job that is added in the same statement. */
export async function markOperationUnknown(db: Database, id: string, message: string, askAt: Date): Promise<void> {
  await db.query({
    name: "mark_operation_unknown",
    text: `
      with marked as (
        update operations set state = 'unknown', failure_message = $2, lease_until = $3
         where id = $1 and state = 'sent' returning id
      )
      select wake_worker('reconcile_operation', json_build_object('operationId', id), $3, 'reconcile_operation:' || id)
        from marked`,
    values: [id, message, askAt],
  });
}

export interface Settlement {
  readonly succeeded: boolean;
  /** Why the provider refused, for the caller. */
  readonly failureMessage: string | null;
  /** License key → the provider's own name of the license, where it told one. */
  readonly references: Readonly<Record<string, string>>;
  /** The outcome was learned by asking the provider later. */
  readonly reconciled: boolean;
}

/**
 * Ends an open operation, once: charges or releases, and applies its plan. Null when somebody else has ended it.
 */
export async function settleOperation(
  db: Database,
  id: string,
  settlement: Settlement,
  now: Date,
): Promise<OperationRow | null> {
  const [row] = await db.query<OperationRow>({
    name: "settle_operation",
    text: "select * from settle_operation($1, $2, $3, $4::jsonb, $5, $6)",
    values: [
      id,
      settlement.succeeded,
      settlement.failureMessage,
      JSON.stringify(settlement.references),
      settlement.reconciled,
      now,
    ],
  });
  return row ?? null;
}

export async function findOperation(db: Database, id: string): Promise<OperationRow | null> {
  const [row] = await db.query<OperationRow>({
    name: "find_operation",
    text: "select * from operations where id = $1",
    values: [id],
  });
  return row ?? null;
}
