import { int } from "#lib/db/connection/columns.ts";
import { defineAny, defineGet, defineRun } from "#lib/db/connection/define.ts";
import { today } from "./address-lookup.ts";

/** What the other resellers have used of the provider's limit today. */
const others = `
  select coalesce(sum(o.count), 0)::int as used from today t join provider_lookups o on o.day = t.day
   where o.provider = $2 and o.reseller_id <> $1`;

/** No request is under way for longer: what is left of older ones belongs to processes that died. */
const underWay = `case when p.begun_at > clock_timestamp() - interval '15 minutes' then p.under_way else 0 end`;

/**
 * Counts a request under way, if the reseller has a share left: with it, at most half of what the others have left of the
 * limit. Once nothing is left, there is nothing to share.
 */
export const beginProviderLookupRow = defineAny("begin_provider_lookup")<
  [resellerId: number, provider: string, limit: number]
>`
      with today as (${today}), others as (${others})
      insert into provider_lookups as p (reseller_id, provider, day, count, under_way) select $1, $2, day, 0, 1 from today
      on conflict (reseller_id, provider) do update
         set day = excluded.day, count = case when p.day = excluded.day then p.count else 0 end,
             under_way = 1 + case when p.day = excluded.day then ${underWay} else 0 end, begun_at = clock_timestamp()
       where p.day <> excluded.day
          or (select $3::int <= used or 2 * (p.count + ${underWay}) < $3::int - used from others)
      returning 1`;

export const endProviderLookupRow = defineRun("end_provider_lookup")<[resellerId: number, provider: string]>`
      with today as (${today})
      update provider_lookups p set under_way = p.under_way - 1 from today t
       where p.reseller_id = $1 and p.provider = $2 and p.day = t.day and p.under_way > 0`;

/** Counts an answer that reveals who has an address. Returns how many the reseller has had today, and all of them. */
export const addProviderLookup = defineGet("add_provider_lookup", { own: int, total: int })<
  [resellerId: number, provider: string]
>`
      with today as (${today}), others as (${others}), counted as (
        insert into provider_lookups as p (reseller_id, provider, day, count, under_way) select $1, $2, day, 1, 0 from today
        on conflict (reseller_id, provider) do update
           set day = excluded.day, count = 1 + case when p.day = excluded.day then p.count else 0 end,
               under_way = case when p.day = excluded.day then p.under_way else 0 end
        returning count
      )
      select c.count as own, c.count + o.used as total from counted c, others o`;

/** The reseller's answers and requests under way, those of the others, and the seconds until all of them reset. */
export const getProviderLookups = defineGet("get_provider_lookups", {
  own: int,
  underWay: int,
  others: int,
  seconds: int,
})<[resellerId: number, provider: string]>`
      with today as (${today}), others as (${others})
      select coalesce(p.count, 0) as own, coalesce(${underWay}, 0) as "underWay", o.used as others, t.seconds
        from today t cross join others o
        left join provider_lookups p on p.reseller_id = $1 and p.provider = $2 and p.day = t.day`;
