import { getStatementStart, listStatementEntries, type StatementStart } from "#lib/db/wallet/statement.ts";
import type { LedgerEntryRow } from "#lib/db/wallet/wallet.ts";
import { invalidParameters } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { readInTurn } from "#lib/services/read-in-turn.ts";

export type { StatementTotal } from "#lib/db/wallet/statement.ts";

/** An entry has the time at which its change was decided, and may be posted this much later. */
const POSTED_WITHIN_MS = 60_000;

/** `from` inclusive, `to` exclusive. */
export interface StatementPeriod {
  readonly from: Date;
  readonly to: Date;
}

export interface StatementEntry extends LedgerEntryRow {
  /** The balance after it. */
  readonly balance: bigint;
}

/** Minor units of `currency`. Opening balance and totals add up exactly to the closing balance. */
export interface Statement extends Omit<StatementStart, "firstEntryId" | "lastEntryId"> {
  readonly resellerId: ResellerId;
  readonly closingBalance: bigint;
  /** False while entries of the period can still be posted: then the balance is the one at `readAt`. */
  readonly closed: boolean;
  readonly readAt: Date;
  readonly entryCount: number;
}

export interface FullStatement extends Statement {
  /** Null: there are more than were asked for. */
  readonly entries: readonly StatementEntry[] | null;
}

export interface OpenStatement extends Statement {
  /** All entries of the period in order, `pageSize` at a time. */
  pages(pageSize: number): AsyncGenerator<readonly StatementEntry[]>;
}

/**
 * A wallet's statement. Excludes entries posted later.
 * @throws DomainError `parameters_invalid` (the period ends before it begins), `not_found` (an admin names no
 * existing reseller).
 */
export async function openStatement(ctx: ServiceContext, { from, to }: StatementPeriod): Promise<OpenStatement> {
  const resellerId = requireReseller(ctx, "wallet:read");
  if (to < from) {
    throw invalidParameters([{ field: "to", kind: "out_of_range", message: "must not be before the start" }]);
  }
  const readAt = ctx.now();
  const db = await ctx.db.reads();
  const { firstEntryId, lastEntryId, ...start } = await getStatementStart(db, resellerId, { from, to });
  const { openingBalance, totals } = start;
  return {
    ...start,
    resellerId,
    closingBalance: totals.reduce((balance, { amount }) => balance + amount, openingBalance),
    readAt,
    closed: readAt.getTime() >= to.getTime() + POSTED_WITHIN_MS,
    entryCount: totals.reduce((sum, { count }) => sum + count, 0),
    pages: (pageSize) =>
      readPages(db, resellerId, { openingBalance, firstEntryId, lastEntryId }, { from, to }, pageSize),
  };
}

async function* readPages(
  db: ServiceContext["db"],
  resellerId: ResellerId,
  {
    openingBalance,
    firstEntryId,
    lastEntryId,
  }: Pick<StatementStart, "openingBalance" | "firstEntryId" | "lastEntryId">,
  period: StatementPeriod,
  limit: number,
): AsyncGenerator<readonly StatementEntry[]> {
  let balance = openingBalance;
  let fromId = firstEntryId;
  while (fromId !== null && lastEntryId !== null) {
    const page = { ...period, fromId, toId: lastEntryId, limit };
    const rows = await readInTurn(resellerId, () => listStatementEntries(db, resellerId, page));
    const entries = rows.map((row): StatementEntry => {
      balance += row.amount;
      return { ...row, balance };
    });
    if (entries.length > 0) yield entries;
    const last: StatementEntry | undefined = entries.at(-1);
    fromId = last && entries.length === limit ? last.id + 1n : null;
  }
}

/** The statement with its entries, or null for more than `maxEntries`. @throws as `openStatement` */
export async function getStatement(
  ctx: ServiceContext,
  { maxEntries, ...period }: StatementPeriod & { readonly maxEntries: number },
): Promise<FullStatement> {
  const { pages, ...statement } = await openStatement(ctx, period);
  if (statement.entryCount > maxEntries) return { ...statement, entries: null };
  const entries: StatementEntry[] = [];
  for await (const page of pages(maxEntries)) entries.push(...page);
  return { ...statement, entries };
}
