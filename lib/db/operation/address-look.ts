import type { Database } from "#lib/db/connection/client.ts";
import { boolean, int } from "#lib/db/connection/columns.ts";
import { safeModeStatement, statement } from "#lib/db/connection/statement.ts";
import type { ResellerId } from "#lib/domain/ids.ts";

/** The day and the seconds left of it, in UTC. */
const today = `
  select (clock_timestamp() at time zone 'UTC')::date as day,
         ceil(extract(epoch from date_trunc('day', clock_timestamp(), 'UTC') + interval '1 day' - clock_timestamp()))::int as seconds`;

const countAddressLooksStatement = safeModeStatement("count_address_looks", { seconds: int, isCounted: boolean })`
      with today as (${today}), counted as (
        insert into address_looks as a (reseller_id, day, count) select $1::int, day, $2::int from today where $2::int <= $3::int
        on conflict (reseller_id) do update set
            day = excluded.day, count = case when a.day = excluded.day then a.count + excluded.count else excluded.count end
          where a.day <> excluded.day or a.count + excluded.count <= $3::int
        returning 1
      )
      select seconds, exists (select from counted) as "isCounted" from today`;

/**
 * Counts a reseller's looks at addresses today, or counts none if that would be more than the limit: however many are
 * counted at once, never more than the limit are. Returns null, or the seconds until the count starts again.
 */
export async function countAddressLooks(
  db: Database,
  resellerId: ResellerId,
  count: number,
  limit: number,
): Promise<number | null> {
  const [row] = await db.query(countAddressLooksStatement, [resellerId, count, limit]);
  return row?.isCounted ? null : (row?.seconds ?? 0);
}

const findExhaustedLooksStatement = statement("find_exhausted_looks", { seconds: int })`
      with today as (${today})
      select t.seconds from today t join address_looks a on a.day = t.day where a.reseller_id = $1 and a.count >= $2`;

/** The seconds until the count starts again if a reseller has no look left today; null: it has. */
export async function findExhaustedLooks(db: Database, resellerId: ResellerId, limit: number): Promise<number | null> {
  const [row] = await db.query(findExhaustedLooksStatement, [resellerId, limit]);
  return row?.seconds ?? null;
}
