import { selectActorName } from "#lib/db/audit/actor-name.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { as, bigint, int, jsonObject, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineFind, defineList } from "#lib/db/connection/define.ts";
import { countedPage, countListed } from "#lib/db/connection/listing.ts";
import { type RowOf, statementOf } from "#lib/db/connection/statement.ts";
import { OperationState } from "#lib/db/generated/enums.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { operationKinds } from "#lib/domain/operation.ts";
import {
  type CaseFacts,
  type CaseKind,
  type CaseResolution,
  type CaseValue,
  caseKinds,
} from "#lib/domain/reconciliation.ts";

const actor = selectActorName("o");

export interface CaseFilter {
  readonly kind?: CaseKind | undefined;
  readonly provider?: string | undefined;
  readonly resellerId?: ResellerId | undefined;
  readonly resolved: boolean;
}

export const caseListItem = {
  id: int,
  kind: oneOf(caseKinds),
  provider: text,
  reference: text,
  resellerId: nullable(as<ResellerId>(int)),
  resellerName: nullable(text),
  licenseId: nullable(as<LicenseId>(int)),
  productName: nullable(text),
  operationId: nullable(text),
  facts: as<CaseFacts>(jsonObject),
  /** Null until it has been valued, or if its value cannot be known. */
  value: nullable(as<CaseValue>(jsonObject)),
  firstSeenAt: timestamp,
  lastSeenAt: timestamp,
  resolvedAt: nullable(timestamp),
  resolution: nullable(as<CaseResolution>(text)),
};
export type CaseListItem = RowOf<typeof caseListItem>;

/** Columns of a case `c` with its subject. */
export const caseColumns = `
  c.id, c.kind, c.provider, c.reference, c.reseller_id as "resellerId", r.name as "resellerName", c.license_id as "licenseId",
  coalesce(p.name, c.facts #>> '{provider,product}') as "productName", c.operation_id as "operationId", c.facts, c.value,
  c.first_seen_at as "firstSeenAt", c.last_seen_at as "lastSeenAt", c.resolved_at as "resolvedAt", c.resolution`;
export const caseTables = `
  reconciliation_cases c
  left join resellers r on r.id = c.reseller_id
  left join licenses l on l.id = c.license_id
  left join products p on p.id = l.product_id`;

interface CaseRowPage {
  readonly before: number | null;
  readonly after: number | null;
  readonly limit: number;
}

function selectCases(filter: CaseFilter, page: CaseRowPage) {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = [`c.resolved_at is ${filter.resolved ? "not null" : "null"}`];
  if (filter.kind !== undefined) conditions.push(`c.kind = ${bind(filter.kind)}`);
  if (filter.provider !== undefined) conditions.push(`c.provider = ${bind(filter.provider)}`);
  if (filter.resellerId !== undefined) conditions.push(`c.reseller_id = ${bind(filter.resellerId)}`);
  if (page.before !== null) conditions.push(`c.id < ${bind(page.before)}`);
  if (page.after !== null) conditions.push(`c.id > ${bind(page.after)}`);
  const text = `select ${caseColumns} from ${caseTables} where ${conditions.join(" and ")}
            order by c.id ${page.after === null ? "desc" : "asc"} limit ${bind(page.limit)}`;
  return { list: statementOf(caseListItem)(text), values };
}

/** Newest first. Exclusive: `before` for older ids, `after` for the nearest newer ones. */
export async function listCasePage(db: Database, filter: CaseFilter, page: CaseRowPage): Promise<CaseListItem[]> {
  const { list, values } = selectCases(filter, page);
  const rows = await db.query(list, values);
  return page.after === null ? rows : rows.reverse();
}

/** Up to one more than `COUNTED_AT_MOST`. */
export async function countCases(db: Database, filter: CaseFilter): Promise<number> {
  const { list, values } = selectCases(filter, { ...countedPage, after: null });
  return countListed(db, list, values);
}

/** Open cases per kind, optionally of one provider or reseller; without zero counts. */
export const countOpenCases = defineList("count_open_cases", { kind: oneOf(caseKinds), count: int }).values(
  (of: { readonly provider?: string | undefined; readonly resellerId?: ResellerId | undefined }) => [
    of.provider ?? null,
    of.resellerId ?? null,
  ],
)`
      select kind, count(*)::int as count from reconciliation_cases
       where resolved_at is null and ($1::text is null or provider = $1) and ($2::int is null or reseller_id = $2)
       group by kind`;

const caseEntry = {
  id: bigint,
  kind: text,
  amount: bigint,
  currency: as<Currency>(text),
  note: text,
  createdAt: timestamp,
};
/** A ledger entry of a case's operations. `amount`: minor units, positive into the wallet. */
export type CaseEntry = RowOf<typeof caseEntry>;

/** Newest first: entries of the operation, and of what the license's present term and the renewals ahead have cost. */
export const listCaseEntries = defineList("list_case_entries", caseEntry).values(
  (
    of: { readonly licenseId: number | null; readonly operationId: string | null },
    { now, limit }: { readonly now: Date; readonly limit: number },
  ) => [of.licenseId, of.operationId, limit, now],
)`
      select e.id, e.kind, e.amount, w.currency, e.note, e.created_at as "createdAt"
        from ledger_entries e join wallets w on w.reseller_id = e.reseller_id
       where e.operation_id in (select $2::uuid union select id from operations_of_term($1, $4))
       order by e.id desc limit $3`;

const operationCourse = {
  kind: oneOf(operationKinds),
  state: oneOf(OperationState),
  actor: text,
  /** Name of the user or API key that `actor` refers to, if any. */
  actorName: nullable(text),
  price: bigint,
  currency: as<Currency>(text),
  attempt: int,
  failureMessage: nullable(text),
  createdAt: timestamp,
  sentAt: nullable(timestamp),
  settledAt: nullable(timestamp),
  /** Set when the outcome was learned later. */
  reconciledAt: nullable(timestamp),
};
/** The course of an operation. Money: minor units of `currency`. */
export type OperationCourse = RowOf<typeof operationCourse>;

export const findOperationCourse = defineFind("find_operation_course", operationCourse)<[id: string]>`
      select o.kind, o.state, o.actor, ${actor.column}, o.price, o.currency, o.attempt,
             o.failure_message as "failureMessage", o.created_at as "createdAt", o.sent_at as "sentAt",
             o.settled_at as "settledAt", o.reconciled_at as "reconciledAt"
        from operations o${actor.joins}
       where o.id = $1`;
