import type { Database } from "#lib/db/connection/client.ts";
import { as, bigint, int, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineGet, defineList } from "#lib/db/connection/define.ts";
import { findSqlState, readInsufficientBalance, sqlState } from "#lib/db/connection/errors.ts";
import { countedPage, countListed } from "#lib/db/connection/listing.ts";
import { getRow, type RowOf, statement, statementOf } from "#lib/db/connection/statement.ts";
import { type LedgerAccount, LedgerEntryKind, type PaymentMethod } from "#lib/db/generated/enums.ts";
import { operationSubject, operationSubjectRow } from "#lib/db/operation/subject.ts";
import type { AuditAction } from "#lib/domain/audit.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { operationKinds } from "#lib/domain/operation.ts";

/** Minor units of `currency`. */
const walletState = {
  currency: as<Currency>(text),
  posted: bigint,
  held: bigint,
  /** Open operations that hold money (contract 3.12). */
  pendingCount: int,
  /** The reseller is notified below it; null: never. */
  lowBalanceThreshold: nullable(bigint),
};

export const getWallet = defineGet("get_wallet", walletState)<[resellerId: ResellerId]>`
      select w.currency, w.posted, w.held, w.low_balance_threshold as "lowBalanceThreshold",
             (select count(*)::int from operations o
               where o.reseller_id = w.reseller_id and o.settled_at is null and o.hold_amount > 0) as "pendingCount"
        from wallets w where w.reseller_id = $1`;

export const ledgerEntryRow = {
  ...operationSubjectRow,
  id: bigint,
  kind: oneOf(LedgerEntryKind),
  amount: bigint,
  postedAfter: bigint,
  operationId: nullable(text),
  operationKind: nullable(oneOf(operationKinds)),
  reference: nullable(text),
  note: text,
  createdAt: timestamp,
};
/** `amount`, `postedAfter`: minor units; positive amounts entered the wallet. */
export type LedgerEntryRow = RowOf<typeof ledgerEntryRow>;

/** The entries `e`, as `ledgerEntryRow`, with their operations `o`. */
export const ledgerEntries = {
  columns: `e.id, e.kind, e.amount, e.posted_after as "postedAfter", e.operation_id as "operationId",
             o.kind as "operationKind", o.license_id as "licenseId", o.bundle_instance_id as "bundleInstanceId",
             e.subject_label as "subjectLabel", e.reference, e.note, e.created_at as "createdAt"`,
  tables: "ledger_entries e left join operations o on o.id = e.operation_id and o.reseller_id = e.reseller_id",
} as const;

const ledgerListRow = {
  ...ledgerEntryRow,
  /** Minor units of a charge that can still be refunded; 0 for other entries. */
  refundable: bigint,
};
export type LedgerListRow = RowOf<typeof ledgerListRow>;

export interface LedgerFilter {
  readonly kind?: LedgerEntryKind | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** The subject of the entries' operation, or the operation itself. */
  readonly about?: { readonly kind: LedgerSubjectKind; readonly id: number | string } | undefined;
}

export type LedgerSubjectKind = "license" | "bundle" | "operation";

const subjectConditions = {
  license: "e.operation_id in (select id from operations where license_id = ?::int)",
  bundle: "e.operation_id in (select id from operations where bundle_instance_id = ?::int)",
  operation: "e.operation_id = ?::uuid",
} as const satisfies Record<LedgerSubjectKind, string>;

interface Condition {
  readonly name: string;
  /** `?` is the value. */
  readonly sql: string;
  readonly value: unknown;
}

/** Adds conditions only for given filters, so that each can use its index. */
function conditionsOf({ kind, from, to, about }: LedgerFilter): Condition[] {
  return [
    ...(kind === undefined ? [] : [{ name: "kind", sql: "e.kind = ?::ledger_entry_kind", value: kind }]),
    ...(from === undefined ? [] : [{ name: "from", sql: "e.created_at >= ?::timestamptz", value: from }]),
    ...(to === undefined ? [] : [{ name: "to", sql: "e.created_at < ?::timestamptz", value: to }]),
    ...(about === undefined ? [] : [{ name: about.kind, sql: subjectConditions[about.kind], value: about.id }]),
  ];
}

interface LedgerRowPage {
  readonly before: bigint | null;
  readonly after?: bigint | null | undefined;
  readonly limit: number;
}

function selectLedgerEntries(
  resellerId: ResellerId,
  { before, after = null, limit }: LedgerRowPage,
  filter: LedgerFilter,
) {
  const conditions = conditionsOf(filter);
  const place = after === null ? "($2::bigint is null or e.id < $2)" : "e.id > $2";
  const filtered = conditions.map(({ sql }, index) => ` and ${sql.replace("?", `$${index + 4}`)}`).join("");
  const name = ["list_ledger_entries", ...(after === null ? [] : ["newer"]), ...conditions.map(({ name }) => name)];
  const text = `
      select ${ledgerEntries.columns},
             case when e.kind = 'charge' then greatest(charge_left(e.operation_id, e.reseller_id), 0) else 0 end as refundable
        from ${ledgerEntries.tables}
       where e.reseller_id = $1 and ${place}${filtered}
       order by e.id ${after === null ? "desc" : "asc"} limit $3`;
  const values = [resellerId, after ?? before, limit, ...conditions.map(({ value }) => value)];
  return { list: statementOf(ledgerListRow)(text, { name: name.join("_") }), values };
}

/** Newest first. Exclusive: `before` for older entries, `after` for the nearest newer ones. */
export async function listLedgerEntries(
  db: Database,
  resellerId: ResellerId,
  page: LedgerRowPage,
  filter: LedgerFilter = {},
): Promise<LedgerListRow[]> {
  const { list, values } = selectLedgerEntries(resellerId, page, filter);
  const rows = await db.query(list, values);
  return page.after == null ? rows : rows.reverse();
}

/** Up to one more than `COUNTED_AT_MOST`. */
export async function countLedgerEntries(db: Database, resellerId: ResellerId, filter: LedgerFilter): Promise<number> {
  const { list, values } = selectLedgerEntries(resellerId, countedPage, filter);
  return countListed(db, list, values);
}

const openOperationRow = {
  ...operationSubjectRow,
  id: text,
  kind: oneOf(operationKinds),
  holdAmount: bigint,
  createdAt: timestamp,
};
/** An operation with an open outcome. `holdAmount`: minor units of the wallet's currency. */
export type OpenOperationRow = RowOf<typeof openOperationRow>;

export const listOpenOperations = defineList("list_open_operations", openOperationRow)<
  [resellerId: ResellerId, limit: number]
>`
      select o.id, o.kind, ${operationSubject.columns},
             o.hold_amount as "holdAmount", o.created_at as "createdAt"
        from operations o${operationSubject.joins}
       where o.reseller_id = $1 and o.settled_at is null
       order by o.created_at desc, o.id limit $2`;

export interface Posting {
  readonly resellerId: ResellerId;
  readonly kind: Exclude<LedgerEntryKind, "charge" | "credit">;
  readonly counterAccount: LedgerAccount;
  /** Minor units; positive enters the wallet. */
  readonly amount: bigint;
  readonly reference: string | null;
  readonly note: string;
  readonly actor: string;
  readonly method?: PaymentMethod | null;
  readonly event: { readonly id: string; readonly kind: string; readonly data: unknown } | null;
  /** The service that an admin called, with its input. */
  readonly audit?: { readonly action: AuditAction; readonly data: unknown; readonly requestId: string };
}

const postLedgerEntryStatement = statement("post_ledger_entry", {
  posted_after: bigint,
})`select posted_after from post_ledger_entry($1, $2::ledger_entry_kind, $3::ledger_account, $4, $5, $6, $7, null,
               $8::jsonb, $9, $10::payment_method, $11::jsonb)`;

/**
 * Posts money outside of operations; returns the new posted balance in minor units.
 * @throws DomainError `insufficient_balance`, or `conflict` if the reference was used before.
 */
export async function postLedgerEntry(db: Database, posting: Posting, now: Date): Promise<bigint> {
  try {
    const { posted_after } = await getRow(db, postLedgerEntryStatement, [
      posting.resellerId,
      posting.kind,
      posting.counterAccount,
      posting.amount,
      posting.reference,
      posting.note,
      posting.actor,
      posting.event ? JSON.stringify(posting.event) : null,
      now,
      posting.method ?? null,
      posting.audit ? JSON.stringify(posting.audit) : null,
    ]);
    return posted_after;
  } catch (error) {
    throw namePostingFailure(error);
  }
}

/** Translates errors of the posting functions to DomainErrors; returns other errors as they are. */
export function namePostingFailure(error: unknown): unknown {
  switch (findSqlState(error)) {
    case sqlState.insufficientBalance:
      return readInsufficientBalance(error);
    case sqlState.uniqueViolation:
      return new DomainError("conflict", "This reference was used before.", {
        details: { reference: "was used before" },
      });
    case sqlState.refundTooLarge:
      return new DomainError("conflict", "This is more than what is left of the charge.", {
        details: { amount: "is more than what is left of the charge" },
      });
    default:
      return error;
  }
}
