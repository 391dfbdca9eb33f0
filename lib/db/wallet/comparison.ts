import type { Database } from "#lib/db/connection/client.ts";
import { as, int, json, jsonBigint, list, oneOf, text } from "#lib/db/connection/columns.ts";
import { getRow, type RowOf, statementOf } from "#lib/db/connection/statement.ts";
import { coreLotRules } from "#lib/db/core-lot/rules.ts";
import { LedgerAccount } from "#lib/db/generated/enums.ts";
import type { Currency } from "#lib/domain/money.ts";

const walletJson = json({
  resellerId: int,
  currency: as<Currency>(text),
  posted: jsonBigint,
  entriesSum: jsonBigint,
  held: jsonBigint,
  openHoldsSum: jsonBigint,
});
const accountJson = json({ currency: as<Currency>(text), account: oneOf(LedgerAccount), balance: jsonBigint });
const snapshotRow = {
  wallets: list(walletJson),
  accounts: list(accountJson),
  lots: list(json({ rule: text, subject: text })),
};
type Snapshot = RowOf<typeof snapshotRow>;

/** One wallet whose books disagree. Minor units. */
export type WalletDifference = Snapshot["wallets"][number];

/** The platform's balance of one account and currency, in minor units. */
export type AccountBalance = Snapshot["accounts"][number];

/** A currency whose wallets and platform accounts do not add up to zero. Minor units. */
export interface CurrencyDifference {
  readonly currency: Currency;
  readonly walletsSum: bigint;
  readonly accountsSum: bigint;
}

/** What violates a rule of the lots, such as `lot 7` or `operation …`. */
export type LotDifference = Snapshot["lots"][number];

export interface WalletComparison {
  readonly walletCount: number;
  readonly differences: readonly WalletDifference[];
  readonly accounts: readonly AccountBalance[];
  readonly currencyDifferences: readonly CurrencyDifference[];
  readonly lotDifferences: readonly LotDifference[];
}

const rules = Object.entries(coreLotRules);

// Unnamed: it runs rarely. Leaves out sandboxes, which have play money and move their terms into the past.
const readSnapshot = statementOf(snapshotRow)(`
      with live as (select r.id from resellers r where r.sandbox_of is null)
      select
        (select coalesce(jsonb_agg(jsonb_build_object('rule', broken.rule, 'subject', broken.subject)), '[]')
           from (${rules.map(([, query], place) => `select $${place + 1}::text as rule, reseller_id, subject from (${query}) rule_${place} (reseller_id, subject)`).join(" union all ")})
             broken join live on live.id = broken.reseller_id) as lots,
        (select coalesce(jsonb_agg(jsonb_build_object(
            'resellerId', w.reseller_id, 'currency', w.currency, 'posted', w.posted::text, 'held', w.held::text,
            'entriesSum', coalesce(e.total, 0)::text, 'openHoldsSum', coalesce(o.total, 0)::text) order by w.reseller_id), '[]')
           from wallets w
           join live on live.id = w.reseller_id
           left join (select reseller_id, sum(amount) as total from ledger_entries group by 1) e on e.reseller_id = w.reseller_id
           left join (select reseller_id, sum(hold_amount) as total from operations
                       where settled_at is null group by 1) o on o.reseller_id = w.reseller_id) as wallets,
        (select coalesce(jsonb_agg(jsonb_build_object(
            'currency', a.currency, 'account', a.counter_account, 'balance', a.balance::text) order by a.currency, a.counter_account), '[]')
           from (select w.currency, e.counter_account, -sum(e.amount) as balance
                   from ledger_entries e join wallets w on w.reseller_id = e.reseller_id join live on live.id = w.reseller_id group by 1, 2) a) as accounts`);

/**
 * Adds up all live ledgers, open holds, platform accounts and lots in one snapshot. A wallet's entries must equal its posted
 * balance, its open holds its held money, a currency's wallets the negated sum of its accounts; credits for cores must
 * not exceed their share of the charge.
 */
export async function compareWallets(db: Database): Promise<WalletComparison> {
  const names = rules.map(([rule]) => rule);
  const { wallets, accounts, lots } = await getRow(db, readSnapshot, names);
  return {
    walletCount: wallets.length,
    differences: wallets.filter((row) => row.posted !== row.entriesSum || row.held !== row.openHoldsSum),
    accounts,
    currencyDifferences: compareCurrencies(wallets, accounts),
    lotDifferences: lots,
  };
}

function compareCurrencies(
  wallets: readonly WalletDifference[],
  accounts: readonly AccountBalance[],
): CurrencyDifference[] {
  const sums = new Map<Currency, { walletsSum: bigint; accountsSum: bigint }>();
  const sumsOf = (currency: Currency) => {
    const found = sums.get(currency) ?? { walletsSum: 0n, accountsSum: 0n };
    sums.set(currency, found);
    return found;
  };
  for (const { currency, posted } of wallets) sumsOf(currency).walletsSum += posted;
  for (const { currency, balance } of accounts) sumsOf(currency).accountsSum += balance;
  return [...sums]
    .map(([currency, both]) => ({ currency, ...both }))
    .filter(({ walletsSum, accountsSum }) => walletsSum + accountsSum !== 0n);
}
