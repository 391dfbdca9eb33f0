import type { Database } from "./client.ts";
import type { OperationRow } from "./operation.ts";

/**
 * Takes over up to `limit` open operations, each for one caller only (`skip locked`): those whose lease has run out,
 * and with `unknownNow` also those that wait to be asked about again. `except`: ids to leave alone.
 */
export async function claimOpenOperations(
  db: Database,
  claim: {
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly unknownNow: boolean;
    readonly except: readonly string[];
    readonly limit: number;
  },
): Promise<OperationRow[]> {
  return db.query<OperationRow>({
    name: "claim_open_operations",
    text: `
      update operations o set lease_until = $2, attempt = attempt + 1
        from (select id from operations
               where state in ('held', 'sent', 'unknown') and (lease_until <= $1 or ($3 and state = 'unknown')) and id <> all ($4::uuid[])
               order by lease_until limit $5 for update skip locked) due
       where o.id = due.id returning o.*`,
    values: [claim.now, claim.leaseUntil, claim.unknownNow, claim.except, claim.limit],
  });
}

/** Takes over one open operation whose lease has run out. Null: it has ended, or somebody else has it. */
export async function claimOpenOperation(
  db: Database,
  id: string,
  lease: { readonly now: Date; readonly leaseUntil: Date },
): Promise<OperationRow | null> {
  const [row] = await db.query<OperationRow>({
    name: "claim_open_operation",
    text: `
      update operations set lease_until = $3, attempt = attempt + 1
       where id = $1 and state in ('held', 'sent', 'unknown') and lease_until <= $2 returning *`,
    values: [id, lease.now, lease.leaseUntil],
  });
  return row ?? null;
}
