import type { Database } from "./client.ts";
import type { ProviderKind } from "./generated/enums.ts";

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
}

const columns = `name, kind, base_url as "baseUrl", credentials, signs, disabled_at as "disabledAt"`;

export async function findProvider(db: Database, name: string): Promise<ProviderRow | null> {
  const [row] = await db.query<ProviderRow>({
    name: "find_provider",
    text: `select ${columns} from providers where name = $1`,
    values: [name],
  });
  return row ?? null;
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
             (select count(*)::int from products o where o.provider = p.name) as "productCount",
             (select count(*)::int from operations o
               where o.state in ('held', 'sent', 'unknown') and o.plan ->> 'provider' = p.name) as "openOperations"
        from providers p order by p.name`,
    values: [],
  });
}

/** A provider's own names of the licenses that it has told us → our references. */
export async function listProviderReferences(db: Database, provider: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ provider_reference: string; key: string }>({
    name: "list_provider_references",
    text: `
      select l.provider_reference, l.key from licenses l join products p on p.id = l.product_id
       where p.provider = $1 and l.provider_reference is not null`,
    values: [provider],
  });
  return new Map(rows.map((row) => [row.provider_reference, row.key]));
}
