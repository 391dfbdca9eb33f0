import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { as, bigint, int, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineFind, defineGetValue } from "#lib/db/connection/define.ts";
import { findSqlState, sqlState } from "#lib/db/connection/errors.ts";
import { listing, type PageInput } from "#lib/db/connection/listing.ts";
import { findRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
import { PaymentMethod, TopUpRequestState } from "#lib/db/generated/enums.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { namePostingFailure } from "./wallet.ts";

export type { PaymentMethod, TopUpRequestState } from "#lib/db/generated/enums.ts";

const topUpRequestRow = {
  id: int,
  resellerId: as<ResellerId>(int),
  resellerName: text,
  amount: bigint,
  /** Null unless approved. */
  creditedAmount: nullable(bigint),
  currency: as<Currency>(text),
  /** The reseller's available balance, before the decision; minor units. */
  spendable: bigint,
  reference: text,
  method: oneOf(PaymentMethod),
  note: text,
  state: oneOf(TopUpRequestState),
  createdAt: timestamp,
  decisionNote: text,
};
export type TopUpRequestRow = RowOf<typeof topUpRequestRow>;

const columns = (request: string) => `
  ${request}.id, ${request}.reseller_id as "resellerId", r.name as "resellerName", ${request}.amount, ${request}.credited_amount as "creditedAmount", r.currency,
  (select w.posted - w.held from wallets w where w.reseller_id = r.id) as spendable, ${request}.reference, ${request}.method, ${request}.note, ${request}.state,
  ${request}.created_at as "createdAt", ${request}.decision_note as "decisionNote"`;

const insertTopUpRequestStatement = statement("insert_top_up_request", topUpRequestRow)`
        with added as (
          insert into top_up_requests (reseller_id, amount, reference, method, note, requested_by, created_at)
          select $1, $2, $3, $4::payment_method, $5, $6, $7
           where has_room('top_up_requests', $1, $9, $7)
             and not exists (select from ledger_entries e where e.reseller_id = $1 and reference_look(e.reference) = reference_look($3))
          returning *
        ), audited as (
          select write_audit_entry($6, 'wallet.request_top_up', $1, 'top_up_request:' || a.id, $5,
                   jsonb_build_object('amount', a.amount::text, 'reference', a.reference, 'method', a.method), $7, $8) from added a
        )
        select ${columns("a")} from added a join resellers r on r.id = a.reseller_id cross join audited`;

/**
 * Stores a request with an audit entry. Null: `limit` are open.
 * @throws DomainError `conflict` if the reseller has used the reference before, in a request or in its ledger.
 */
export async function insertTopUpRequest(
  db: Database,
  request: {
    readonly resellerId: ResellerId;
    readonly amount: bigint;
    readonly reference: string;
    readonly method: PaymentMethod;
    readonly note: string;
  },
  limit: number,
  by: ChangedBy,
): Promise<TopUpRequestRow | null> {
  const { resellerId, amount, reference, method, note } = request;
  const values = [resellerId, amount, reference, method, note, ...changeValues(by), limit];
  try {
    const row = await findRow(db, insertTopUpRequestStatement, values);
    if (row || (await countOwnOpenTopUpRequests(db, resellerId)) >= limit) return row;
    throw referenceUsed();
  } catch (error) {
    throw findSqlState(error) === sqlState.uniqueViolation ? referenceUsed() : error;
  }
}

function referenceUsed(): DomainError {
  return new DomainError("conflict", "This reference was used before.", { details: { reference: "was used before" } });
}

const listTopUpRequestsStatement = statement("list_top_up_requests", topUpRequestRow)`
      select ${columns("t")} from top_up_requests t join resellers r on r.id = t.reseller_id
       where ($1::int is null or t.reseller_id = $1) and ($2::top_up_request_state is null or t.state = $2)
         and ($3::int is null or t.id < $3)
       order by t.id desc limit $4`;

/** Newest first, optionally of one reseller or state. `before`: older than this id. */
export function topUpListing(
  db: Database,
  { resellerId, state }: { readonly resellerId: ResellerId | null; readonly state: TopUpRequestState | null },
) {
  return listing(db, ({ before, limit }: PageInput<number>) => [
    listTopUpRequestsStatement,
    [resellerId, state, before, limit],
  ]);
}

const decideTopUp = statement("decide_top_up", topUpRequestRow)`
      select ${columns("t")} from decide_top_up($1, $2, $3, $4, $5, $6, $7, $8) t join resellers r on r.id = t.reseller_id`;

/**
 * Approves a request, which credits the wallet under its reference, or declines it, with an audit entry. Null: no such
 * open request.
 * @throws DomainError `conflict` if the wallet has an entry with that reference.
 */
export async function decideTopUpRequest(
  db: Database,
  decision: {
    readonly requestId: number;
    readonly approve: boolean;
    /** Minor units; null: the requested amount. */
    readonly amount: bigint | null;
    readonly note: string;
    readonly eventId: string;
  },
  by: ChangedBy,
): Promise<TopUpRequestRow | null> {
  const { requestId, approve, amount, note, eventId } = decision;
  try {
    return await findRow(db, decideTopUp, [requestId, approve, amount, note, by.actor, eventId, by.now, by.requestId]);
  } catch (error) {
    throw namePostingFailure(error);
  }
}

export const findTopUpRequest = defineFind("find_top_up_request", topUpRequestRow)<[requestId: number]>`
      select ${columns("t")} from top_up_requests t join resellers r on r.id = t.reseller_id where t.id = $1`;

/** Open requests of all resellers. */
export const countOpenTopUpRequests = defineGetValue("count_open_top_up_requests", { count: int })`
      select count(*)::int as count from top_up_requests where state = 'requested'`;

const countOwnOpenTopUpRequests = defineGetValue("count_own_open_top_up_requests", { count: int })<
  [resellerId: ResellerId]
>`
      select count(*)::int as count from top_up_requests where reseller_id = $1 and state = 'requested'`;

/** All that a reseller ever made. */
export const countTopUpRequests = defineGetValue("count_top_up_requests", { count: int })<[resellerId: ResellerId]>`
      select count(*)::int as count from top_up_requests where reseller_id = $1`;
