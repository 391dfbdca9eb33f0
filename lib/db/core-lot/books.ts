import { priceOf } from "#lib/db/catalog/cycle-price.ts";
import type { Database } from "#lib/db/connection/client.ts";
import {
  as,
  bigint,
  int,
  json,
  jsonBigint,
  jsonTimestamp,
  list,
  nullable,
  text,
  timestamp,
} from "#lib/db/connection/columns.ts";
import { statement } from "#lib/db/connection/statement.ts";
import type { CoreChange } from "#lib/domain/core-lots.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";

/** What a change of a license's cores is priced from. Money in minor units of `currency`. */
export interface CoreBooks extends Pick<CoreChange, "terms" | "chargesLeft"> {
  readonly currency: Currency;
}

const lotJson = json({
  id: int,
  operationId: nullable(text),
  cores: int,
  liveCores: int,
  startsAt: jsonTimestamp,
  endsAt: jsonTimestamp,
  amount: jsonBigint,
  creditedAmount: jsonBigint,
  chargeLeft: jsonBigint,
});

const termRow = {
  id: int,
  months: int,
  startsAt: timestamp,
  paidUntil: timestamp,
  endsAt: timestamp,
  currency: as<Currency>(text),
  pricePerCore: nullable(bigint),
  lots: list(lotJson),
};

const getCoreBooksStatement = statement("get_core_books", termRow)`
      with ahead as materialized (
        select t.*, l.product_id, l.reseller_id
          from licenses l cross join lateral paid_terms_ahead(l.id, $3) t
         where l.id = $2 and l.reseller_id = $1
      ), live as materialized (
        -- "offset 0" looks up each term's lots, however small the table was when this was planned.
        select lot.*
          from ahead cross join lateral (
            select * from core_lots l where l.paid_term_id = ahead.id and l.removed_cores < l.cores offset 0) lot
      ), charges as materialized (
        select charge.operation_id, charge_left(charge.operation_id, $1) as amount
          from (select distinct live.operation_id from live) charge
      ), bought as materialized (
        select lot.paid_term_id,
               jsonb_agg(jsonb_build_object(
                 'id', lot.id, 'operationId', lot.operation_id, 'startsAt', lot.starts_at, 'endsAt', lot.ends_at,
                 'cores', lot.cores, 'amount', lot.amount::text, 'liveCores', lot.cores - used.reserved_cores,
                 'creditedAmount', used.credited_amount::text, 'chargeLeft', coalesce(charges.amount, 0)::text) order by lot.id) as lots
          from live lot cross join lateral core_lot_use(lot.id) used
          left join charges on charges.operation_id = lot.operation_id
         group by 1
      )
      select t.id, t.months, t.starts_at as "startsAt", t.paid_until as "paidUntil", t.ends_at as "endsAt", r.currency,
             case when price.price is not null then coalesce(price.price_per_core, 0) end as "pricePerCore",
             coalesce(bought.lots, '[]') as lots
        from ahead t
        join resellers r on r.id = t.reseller_id
        left join bought on bought.paid_term_id = t.id
        left join billing_cycles c on c.product_id = t.product_id and c.months = t.months
        left join ${priceOf("c.id")} price on true
       order by t.id`;

/**
 * The paid terms of a license that end after `since`, with current prices and the lots that have cores; null if there
 * are none. Read the license first: a hold with its version is rejected if the lots have changed since.
 */
export async function getCoreBooks(
  db: Database,
  resellerId: ResellerId,
  licenseId: number,
  since: Date,
): Promise<CoreBooks | null> {
  const rows = await db.query(getCoreBooksStatement, [resellerId, licenseId, since]);
  const [first] = rows;
  if (!first) return null;
  const lots = rows.flatMap((row) => row.lots);
  return {
    currency: first.currency,
    terms: rows.map(({ currency, ...term }) => term),
    chargesLeft: new Map(
      lots.flatMap(({ operationId, chargeLeft }) => (operationId === null ? [] : [[operationId, chargeLeft]])),
    ),
  };
}
