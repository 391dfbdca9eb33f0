import { batchPerDatabase } from "#lib/db/connection/batch.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { bigint, int, list, nullable, text } from "#lib/db/connection/columns.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { RenewalRules } from "#lib/db/renewal/renewable.ts";
import type { OperationKind } from "#lib/domain/operation.ts";
import type { OperationPlan } from "#lib/domain/operation-plan.ts";
import { operationBatches } from "./batches.ts";
import { nameHoldFailure } from "./hold-failure.ts";

export interface NewLicense {
  readonly key: string;
  readonly product_id: number;
  readonly cycle_id: number | null;
  readonly ip_address: string;
  readonly cores: number | null;
  readonly notes: string;
  /** Default: none. */
  readonly external_id?: string | undefined;
  /** Default: off; a bundle's members follow its instance. */
  readonly auto_renew?: boolean;
  /** The quoted price of its first renewal; null for a bundle's member. */
  readonly agreed_renewal_price: bigint | null;
  readonly issued_at: Date;
  readonly anchored_at: Date;
  readonly expires_at: Date;
}

export interface NewBundleInstance {
  /** The quoted price of its first renewal. */
  readonly agreed_renewal_price: bigint;
  readonly auto_renew: boolean;
  readonly bundle_id: number;
  readonly cycle_id: number;
  readonly ip_address: string;
  readonly issued_at: Date;
  readonly anchored_at: Date;
  readonly expires_at: Date;
}

export const seenLicense = { id: int, version: text };
/** The version of a license that the operation was planned with. */
export type SeenLicense = RowOf<typeof seenLicense>;

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
    /** A bundle that it changes: locked until it ends. */
    readonly bundle_instance_id: number | null;
    readonly hold_amount: bigint;
    readonly price: bigint;
    /** Null: the reseller's currency. */
    readonly currency: string | null;
    readonly plan: OperationPlan;
    readonly actor: string;
    readonly request_id: string;
    readonly owner_id: string;
    readonly lease_token: string;
    readonly created_at: Date;
  };
  readonly newLicenses: readonly NewLicense[];
  readonly newInstance: NewBundleInstance | null;
  readonly lockLicenses: readonly SeenLicense[];
  /** Of `bundle_instance_id`, as it was read. */
  readonly instanceVersion?: string | undefined;
  /** Of an automatic renewal: the rules by which it was judged. */
  readonly renewalRules?: RenewalRules | undefined;
  /** Of a job's item, which the request id names: the token of the worker that runs it. */
  readonly itemToken?: string | undefined;
  /** Addresses and periods reserved until the operation ends. */
  readonly claims: readonly AddressClaim[];
  /** The claimed key of the request. */
  readonly idempotencyKey: ClaimedKey | null;
}

export interface ClaimedKey {
  readonly key: string;
  readonly token: string;
}

export interface Held {
  /** New licenses in the given order, or the locked ones. */
  readonly licenseIds: number[];
  readonly bundleInstanceId: number | null;
  /** The available balance after the hold, in minor units. */
  readonly spendable: bigint;
}

const holdOperationsStatement = statement("hold_operations", {
  place: int,
  license_ids: nullable(list(int)),
  bundle_instance_id: nullable(int),
  spendable: nullable(bigint),
  refusal: nullable(text),
  message: nullable(text),
  detail: nullable(text),
  violated: nullable(text),
})`select * from hold_operations($1::jsonb)`;

/** Answers each hold with its `Held` or with the reason why the database refused it. */
async function holdAll(db: Pick<Database, "query">, holds: readonly Hold[]): Promise<(Held | RefusedHold)[]> {
  const rows = await db.query(holdOperationsStatement, [JSON.stringify(holds.map(argumentsOf))]);
  const answers: (Held | RefusedHold)[] = [];
  for (const { place, refusal, message, detail, violated, ...held } of rows) {
    answers[place] =
      refusal === null
        ? {
            licenseIds: held.license_ids ?? [],
            bundleInstanceId: held.bundle_instance_id,
            spendable: held.spendable ?? 0n,
          }
        : Object.assign(new RefusedHold(message ?? ""), { code: refusal, detail, constraint: violated });
  }
  return answers;
}

/** Has the fields of a database error. */
class RefusedHold extends Error {}

/** Amounts as text: JSON has no `bigint`, and a replacer would be called for every field of the plans. */
function argumentsOf(hold: Hold, place: number): Record<string, unknown> {
  const { operation, newLicenses, newInstance, lockLicenses } = hold;
  return {
    place,
    ...operation,
    hold_amount: String(operation.hold_amount),
    price: String(operation.price),
    new_licenses: newLicenses.length > 0 ? newLicenses.map(withTextPrice) : undefined,
    new_instance: newInstance ? withTextPrice(newInstance) : undefined,
    lock_licenses: lockLicenses.length > 0 ? lockLicenses.map(({ id, version }) => ({ id, version })) : undefined,
    instance_version: hold.instanceVersion,
    renewal_rules: hold.renewalRules,
    item_token: hold.itemToken,
    claims: hold.claims.length > 0 ? hold.claims : undefined,
    idempotency_key: hold.idempotencyKey?.key,
    key_token: hold.idempotencyKey?.token,
  };
}

function withTextPrice<New extends NewLicense | NewBundleInstance>(created: New) {
  return { ...created, agreed_renewal_price: created.agreed_renewal_price?.toString() };
}

const holdInBatch = batchPerDatabase(holdAll, operationBatches);

/**
 * Reserves the money and the licenses of an operation, in one statement with the concurrent ones. Changes nothing if it
 * throws: `insufficient_balance`, `spending_limit_reached`, `reseller_suspended`, `operation_in_progress` (also if what
 * it changes, or the rules of automatic renewals, have changed), `idempotency_in_progress` (another request has claimed
 * the key), or, named by the kind of operation, that a live license has the address (contract 3.3).
 */
export async function holdOperation(db: Pick<Database, "query">, hold: Hold): Promise<Held> {
  const answer = await holdInBatch(db, hold);
  if (answer instanceof RefusedHold) throw nameHoldFailure(answer, hold.operation.kind);
  return answer;
}
