import { type AuditRecord, auditValues, type ChangedBy, writeAudit } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import type { ProviderKind } from "#lib/db/generated/enums.ts";

/** An upstream company that products name. */
export interface ProviderRow {
  readonly name: string;
  readonly kind: ProviderKind;
  /** Of the dispatch interface; null for the sandbox. */
  readonly baseUrl: string | null;
  /** Sealed; null for the sandbox. */
  readonly credentials: Buffer | null;
  readonly signs: boolean;
  readonly disabledAt: Date | null;
  /** Another one after every change. */
  readonly version: string;
}

const columns = `name, kind, base_url as "baseUrl", credentials, signs, disabled_at as "disabledAt", xmin::text as version`;

export async function findProvider(db: Database, name: string): Promise<ProviderRow | null> {
  const [row] = await db.query<ProviderRow>({
    name: "find_provider",
    text: `select ${columns} from providers where name = $1`,
    values: [name],
  });
  return row ?? null;
}

/** With its audit entry. */
export async function insertProvider(
  db: Database,
  provider: Pick<ProviderRow, "name" | "baseUrl" | "signs"> & { readonly credentials: Uint8Array },
  audit: AuditRecord,
): Promise<void> {
  await db.query({
    name: "insert_provider",
    text: `
      with made as (
        insert into providers (name, kind, base_url, credentials, signs, created_at)
        values ($1, 'dispatch', $2, $3, $4, $5) returning name
      )
      select ${writeAudit(6)} from made`,
    values: [
      provider.name,
      provider.baseUrl,
      Buffer.from(provider.credentials),
      provider.signs,
      audit.at,
      ...auditValues(audit),
    ],
  });
}

/** With its audit entry. */
export async function updateProviderDisabled(
  db: Database,
  name: string,
  disabledAt: Date | null,
  audit: AuditRecord,
): Promise<void> {
  await db.query({
    name: "update_provider_disabled",
    text: `
      with changed as (update providers set disabled_at = $2 where name = $1 returning name)
      select ${writeAudit(3)} from changed`,
    values: [name, disabledAt, ...auditValues(audit)],
  });
}

/** Address and credentials. False: it is not as `old` any more. */
export async function updateProviderRow(
  db: Database,
  old: ProviderRow,
  change: {
    readonly baseUrl: string | null;
    readonly credentials: Uint8Array;
    readonly signs: boolean;
    /** Which fields were given, for the audit entry. */
    readonly given: readonly string[];
  },
  by: ChangedBy,
): Promise<boolean> {
  const rows = await db.query({
    name: "update_provider",
    text: `
      with changed as (
        update providers p set base_url = $2, credentials = $3, signs = $4 from providers old
         where p.name = $1 and old.name = p.name and p.xmin::text = $5
        returning p.name, changes_between(jsonb_build_object('baseUrl', old.base_url, 'signs', old.signs),
                                          jsonb_build_object('baseUrl', p.base_url, 'signs', p.signs)) as changes
      )
      select write_audit_entry($6, 'provider.update', null, 'provider:' || name, '',
               jsonb_build_object('changes', changes, 'changed', to_jsonb($7::text[])), $8, $9, name)
        from changed`,
    values: [
      old.name,
      change.baseUrl,
      Buffer.from(change.credentials),
      change.signs,
      old.version,
      by.actor,
      change.given,
      by.now,
      by.requestId,
    ],
  });
  return rows.length > 0;
}

export interface ProviderListRow extends Omit<ProviderRow, "credentials"> {
  readonly createdAt: Date;
  /** Products that name it. */
  readonly productCount: number;
  /** Operations sent to it, or about to be, whose outcome is not settled. */
  readonly openOperations: number;
}

/** By name. */
export async function listProviderRows(db: Database): Promise<ProviderListRow[]> {
  return db.query({
    name: "list_providers",
    text: `
      select p.name, p.kind, p.base_url as "baseUrl", p.signs, p.disabled_at as "disabledAt", p.created_at as "createdAt",
             p.xmin::text as version,
             (select count(*)::int from products o where o.provider = p.name) as "productCount",
             (select count(*)::int from operations o
               where o.state in ('held', 'sent', 'unknown') and o.plan ->> 'provider' = p.name) as "openOperations"
        from providers p order by p.name`,
    values: [],
  });
}

/** Of a provider's own names of licenses those that it has told us → our references. */
export async function findKnownReferences(
  db: Database,
  provider: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ provider_reference: string; key: string }>({
    name: "find_known_references",
    text: `
      select l.provider_reference, l.key from licenses l join products p on p.id = l.product_id
       where l.provider_reference = any ($2::text[]) and p.provider = $1`,
    values: [provider, names],
  });
  return new Map(rows.map((row) => [row.provider_reference, row.key]));
}
