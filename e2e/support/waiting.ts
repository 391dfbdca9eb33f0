import type { ResellerId } from "#lib/domain/ids.ts";
import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";

const BATCH = 100;

/** Top-up requests that wait for an admin: older than all others, so that these keep their place in the list. */
export async function addWaitingTopUps(resellerId: ResellerId, count: number): Promise<void> {
  const { db } = getRuntime();
  // Each writes a message to every admin that the tests have made, and a statement has its time limit.
  for (let from = 1; from <= count; from += BATCH) {
    await db.query(
      sql(`insert into top_up_requests (id, reseller_id, amount, reference, requested_by, created_at)
             select -n - $1 * 10000, $1, 100, 'W-' || n, 'system:test', '2020-01-01' from generate_series($2::int, $3::int) n`),
      [resellerId, from, Math.min(from + BATCH - 1, count)],
    );
  }
}
