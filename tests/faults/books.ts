import type { Database } from "#lib/db/connection/client.ts";
import { sql } from "#tests/sql.ts";
import { findBrokenInvariants } from "#tests/support/invariants.ts";

/** A rule, and a query of its violations as one column of text. */
type Rule = readonly [rule: string, broken: string];

const openStates = "('held', 'sent', 'unknown')";

/** What must be true of operations, licenses and the provider's books once nothing is in progress. */
const rules: readonly Rule[] = [
  ["no operation stays open", `select id || ' ' || kind || ' ' || state from operations where state in ${openStates}`],
  [
    "nothing stays reserved for an operation that has ended",
    `select 'license ' || id from licenses where open_operation_id is not null or provisioned_at is null
     union all select 'instance ' || id from bundle_instances where open_operation_id is not null or provisioned_at is null
     union all select 'claim ' || id from address_claims where operation_id is not null`,
  ],
  [
    "the provider has done what succeeded, and nothing of what did not",
    `select o.id || ' ' || o.kind || ' ' || o.state || ', step ' || s.position
       from operations o, jsonb_array_elements(o.plan -> 'steps') with ordinality as s (step, position)
      where (o.state = 'succeeded') <> (
        exists (select from sandbox_provider_requests r where r.accepted and r.idempotency_key = s.step #>> '{request,idempotencyKey}')
        and not exists (select from sandbox_provider_requests r where r.accepted and r.idempotency_key = s.step #>> '{undo,idempotencyKey}'))`,
  ],
  [
    "ours and the provider's licenses are the same, with the same address, cores, term and state",
    `select coalesce(l.key, '-') || ' / ' || coalesce(b.reference, '-') || ': ' || concat_ws(' ', l.ip_address, l.cores, l.expires_at)
              || ' / ' || concat_ws(' ', b.product, b.ip_address, b.cores, b.expires_at, b.state)
       from (select l.*, p.provider_sku from licenses l join products p on p.id = l.product_id where l.terminated_at is null) l
       full join (select * from sandbox_provider_licenses where state <> 'terminated') b on b.reference = l.key
      where (l.provider_sku, l.ip_address, l.cores, date_trunc('second', l.expires_at), case when l.suspended_at is null then 'active' else 'suspended' end)
            is distinct from (b.product, b.ip_address, b.cores, date_trunc('second', b.expires_at), b.state)`,
  ],
  [
    "each license was registered by one operation that succeeded",
    `select 'license ' || l.id || ': ' || count(o.id) from licenses l
       left join operations o on o.state = 'succeeded' and case when l.bundle_instance_id is null
         then o.kind = 'license_register' and o.license_id = l.id
         else o.kind = 'bundle_register' and o.bundle_instance_id = l.bundle_instance_id end
      group by l.id having count(o.id) <> 1
     union all
     select o.id::text from operations o where o.state = 'succeeded' and o.kind = 'license_register'
        and not exists (select from licenses l where l.id = o.license_id)`,
  ],
  [
    "a bundle's members share its address and term",
    `select 'license ' || l.id from licenses l join bundle_instances b on b.id = l.bundle_instance_id
      where (l.ip_address, l.expires_at, l.anchored_at) <> (b.ip_address, b.expires_at, b.anchored_at)`,
  ],
  [
    "a success is reported once, and nothing else is reported as done",
    `select o.id || ' ' || o.kind || ' ' || o.state || ', ' || (d.value ->> 'kind')
       from operations o, jsonb_array_elements(o.plan #> '{onSuccess,events}') d
      where (o.state = 'succeeded') <> exists (select from events e where e.id = (d.value ->> 'id')::uuid)`,
  ],
];

/** Violations, one line each; empty if ledger, licenses and the provider's books agree. */
export async function findDifferences(db: Database): Promise<string[]> {
  const broken = Object.entries(await findBrokenInvariants(db));
  const differences = broken.flatMap(([rule, rows]) => rows.map((row) => `not so: ${rule}: ${toText(row)}`));
  for (const [rule, text] of rules) {
    const rows = await db.query(sql<{ what: string }>(`select what from (${text}) as broken (what)`), []);
    differences.push(...rows.map(({ what }) => `not so: ${rule}: ${what}`));
  }
  return differences;
}

function toText(row: unknown): string {
  return JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value));
}
