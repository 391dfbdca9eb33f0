import type { ResellerId } from "#lib/domain/ids.ts";
import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";

/** Top-up requests that wait for an admin: older than all others, so that these keep their place in the list. */
export async function addWaitingTopUps(resellerId: ResellerId, count: number): Promise<void> {
  await getRuntime().db.query(
    sql(`insert into top_up_requests (id, reseller_id, amount, reference, requested_by, created_at)
           select -n - $1 * 10000, $1, 100, 'W-' || n, 'system:test', '2020-01-01' from generate_series(1, $2::int) n`),
    [resellerId, count],
  );
}
