import { as, bigint, text } from "#lib/db/connection/columns.ts";
import { defineFind, defineGetValue, defineRun } from "#lib/db/connection/define.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { CaseValue } from "#lib/domain/reconciliation.ts";
import type { Comparison } from "./comparison.ts";
import { hasLease } from "./facts.ts";

/** Stores the value of cases by id. */
export const storeCaseValues = defineRun("keep_case_values").values(
  ({ id, lease }: Comparison, values: readonly { readonly id: number; readonly value: CaseValue | null }[]) => [
    JSON.stringify(values),
    id,
    lease.token,
  ],
)`
      with valued as materialized (
        select c.id, v.value
          from jsonb_to_recordset($1::jsonb) as v (id int, value jsonb) join reconciliation_cases c on c.id = v.id
         where c.value is distinct from v.value and ${hasLease({ id: "$2", token: "$3" })}
         order by c.id for no key update of c
      )
      update reconciliation_cases c set value = v.value from valued v where c.id = v.id`;

/** Minor units paid for a license's term after `until` and not refunded. */
export const sumUnprovidedCharges = defineGetValue("sum_unprovided_charges", {
  total: bigint,
}).values((of: { readonly licenseId: number; readonly until: Date; readonly toleranceMs: number }) => [
  of.licenseId,
  of.until,
  of.toleranceMs / 1_000,
])`select coalesce(sum(amount), 0)::bigint as total from unprovided_charges($1, $2, make_interval(secs => $3))`;

/** The list price of the shortest cycle of a provider's product; null if it is not in our catalog. */
export const findListPrice = defineFind("find_list_price_of_provider_product", {
  price: bigint,
  currency: as<Currency>(text),
}).values((product: { readonly provider: string; readonly providerSku: string }) => [
  product.provider,
  product.providerSku,
])`
      select s.price, s.currency
        from products p join billing_cycles c on c.product_id = p.id join prices s on s.cycle_id = c.id and s.reseller_id is null
       where p.provider = $1 and p.provider_sku = $2
       order by c.retired_at is not null, c.months, (select count(*) from wallets w where w.currency = s.currency) desc, s.currency limit 1`;
