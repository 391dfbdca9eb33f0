import { type AuditRecord, auditValues, type ChangedBy, changeValues, writeAudit } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { boolean, bytes, int, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineAny, defineFind, defineList, defineRun } from "#lib/db/connection/define.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import { ProviderKind } from "#lib/db/generated/enums.ts";

const providerRow = {
  name: text,
  kind: oneOf(ProviderKind),
  /** Null for the sandbox. */
  baseUrl: nullable(text),
  /** Sealed; null for the sandbox. */
  credentials: nullable(bytes),
  signs: boolean,
  disabledAt: nullable(timestamp),
  /** Changes with every update. */
  version: text,
};
/** An upstream system that products refer to. */
export type ProviderRow = RowOf<typeof providerRow>;

const columns = `name, kind, base_url as "baseUrl", credentials, signs, disabled_at as "disabledAt", xmin::text as version`;

export const findProvider = defineFind("find_provider", providerRow)<[name: string]>`
      select ${columns} from providers where name = $1`;

export const insertProvider = defineRun("insert_provider").values(
  (
    provider: Pick<ProviderRow, "name" | "baseUrl" | "signs"> & { readonly credentials: Uint8Array },
    audit: AuditRecord,
  ) => [
    provider.name,
    provider.baseUrl,
    Buffer.from(provider.credentials),
    provider.signs,
    audit.at,
    ...auditValues(audit),
  ],
)`
      with made as (
        insert into providers (name, kind, base_url, credentials, signs, created_at)
        values ($1, 'dispatch', $2, $3, $4, $5) returning name
      )
      select ${writeAudit(6)} from made`;

export const updateProviderDisabled = defineRun("update_provider_disabled").values(
  (name: string, disabledAt: Date | null, audit: AuditRecord) => [name, disabledAt, ...auditValues(audit)],
)`
      with changed as (update providers set disabled_at = $2 where name = $1 returning name)
      select ${writeAudit(3)} from changed`;

/** Updates address and credentials. False: `old` is outdated. */
export const updateProviderRow = defineAny("update_provider").values(
  (
    old: ProviderRow,
    change: {
      readonly baseUrl: string | null;
      readonly credentials: Uint8Array;
      readonly signs: boolean;
      /** The fields that were given, for the audit entry. */
      readonly given: readonly string[];
    },
    by: ChangedBy,
  ) => [
    old.name,
    change.baseUrl,
    Buffer.from(change.credentials),
    change.signs,
    old.version,
    change.given,
    ...changeValues(by),
  ],
)`
      with changed as (
        update providers p set base_url = $2, credentials = $3, signs = $4 from providers old
         where p.name = $1 and old.name = p.name and p.xmin::text = $5
        returning p.name, changes_between(jsonb_build_object('baseUrl', old.base_url, 'signs', old.signs),
                                          jsonb_build_object('baseUrl', p.base_url, 'signs', p.signs)) as changes
      )
      select write_audit_entry($7, 'provider.update', null, 'provider:' || name, '',
               jsonb_build_object('changes', changes, 'changed', to_jsonb($6::text[])), $8, $9, name)
        from changed`;

const { credentials: _, ...publicFields } = providerRow;
const providerListRow = {
  ...publicFields,
  kind: oneOf(["sandbox", "dispatch"]),
  productCount: int,
  /** Unsettled operations. */
  openOperations: int,
};
/** A provider without its credentials. */
export type ProviderListRow = RowOf<typeof providerListRow>;

export const listProviderRows = defineList("list_providers", providerListRow)`
      select p.name, p.kind, p.base_url as "baseUrl", p.signs, p.disabled_at as "disabledAt",
             p.xmin::text as version,
             (select count(*)::int from products o where o.provider = p.name) as "productCount",
             (select count(*)::int from operations o
               where o.settled_at is null and o.plan ->> 'provider' = p.name) as "openOperations"
        from providers p where p.kind <> 'test' order by p.name`;

const findKnownReferencesStatement = statement("find_known_references", { provider_reference: text, key: text })`
      select l.provider_reference, l.key from licenses l join products p on p.id = l.product_id
       where l.provider_reference = any ($2::text[]) and p.provider = $1`;

/** The provider's own names of licenses → our references, as far as the provider has reported them. */
export async function findKnownReferences(
  db: Database,
  provider: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query(findKnownReferencesStatement, [provider, names]);
  return new Map(rows.map((row) => [row.provider_reference, row.key]));
}
