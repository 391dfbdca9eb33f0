import type { Database } from "#lib/db/connection/client.ts";
import { boolean, int } from "#lib/db/connection/columns.ts";
import { defineFindValue } from "#lib/db/connection/define.ts";
import { safeModeStatement } from "#lib/db/connection/statement.ts";
import type { ResellerId } from "#lib/domain/ids.ts";

/** The UTC day and its remaining seconds; a day of the session's time zone may have 23 or 25 hours. */
export const today = `
  select (clock_timestamp() at time zone 'UTC')::date as day,
         ceil(extract(epoch from date_trunc('day', clock_timestamp(), 'UTC') + interval '24 hours' - clock_timestamp()))::int as seconds`;

const addAddressLookupsStatement = safeModeStatement("add_address_lookups", { seconds: int, isCounted: boolean })`
      with today as (${today}), counted as (
        insert into address_lookups as a (reseller_id, day, count) select $1::int, day, $2::int from today where $2::int <= $3::int
        on conflict (reseller_id) do update set
            day = excluded.day, count = case when a.day = excluded.day then a.count + excluded.count else excluded.count end
          where a.day <> excluded.day or a.count + excluded.count <= $3::int
        returning 1
      )
      select seconds, exists (select from counted) as "isCounted" from today`;

/**
 * Counts a reseller's address lookups of today, all or none, up to the limit. Returns null, or the seconds until the
 * count resets.
 */
export async function addAddressLookups(
  db: Database,
  resellerId: ResellerId,
  count: number,
  limit: number,
): Promise<number | null> {
  const [row] = await db.query(addAddressLookupsStatement, [resellerId, count, limit]);
  return row?.isCounted ? null : (row?.seconds ?? 0);
}

/** Seconds until the count resets if it is used up, otherwise null. */
export const findExhaustedLookups = defineFindValue("find_exhausted_lookups", { seconds: int })<
  [resellerId: ResellerId, limit: number]
>`
      with today as (${today})
      select t.seconds from today t join address_lookups a on a.day = t.day where a.reseller_id = $1 and a.count >= $2`;
