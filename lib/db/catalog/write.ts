import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { int } from "#lib/db/connection/columns.ts";
import { defineAny } from "#lib/db/connection/define.ts";
import { findConstraint, findSqlState, sqlState } from "#lib/db/connection/errors.ts";
import { statement } from "#lib/db/connection/statement.ts";
import type { CyclePrices } from "#lib/domain/markup.ts";

export interface ProductFields {
  readonly name: string;
  readonly description: string;
  readonly coreMetered: boolean;
  readonly workers: number;
  readonly provider: string;
  /** The provider's code. */
  readonly providerSku: string;
}

/** The name that is taken. */
export type Taken = "type" | "provider_sku" | "months" | "name";

const takenByConstraint: Readonly<Record<string, Taken>> = {
  products_slug_key: "type",
  products_provider_provider_sku_key: "provider_sku",
  billing_cycles_product_id_months_key: "months",
  billing_cycles_bundle_id_months_key: "months",
};

/** The statement's rows, or the name that is taken. */
async function unlessTaken<Row>(rows: Promise<Row[]>): Promise<Row[] | Taken> {
  try {
    return await rows;
  } catch (error) {
    const taken = findSqlState(error) === sqlState.uniqueViolation && takenByConstraint[findConstraint(error) ?? ""];
    if (taken) return taken;
    throw error;
  }
}

function productValues(product: ProductFields): readonly unknown[] {
  const { name, description, coreMetered, workers, provider, providerSku } = product;
  return [name, description, coreMetered, workers, provider, providerSku];
}

const insertProductStatement = statement("insert_product", { id: int })`
        with made as (
          insert into products (slug, name, description, core_metered, workers, provider, provider_sku)
          values ($1, $2, $3, $4, $5, $6, $7) returning *
        )
        select id, write_audit_entry($8, 'catalog.create_product', null, 'product:' || id, '',
                 jsonb_build_object('type', slug, 'provider', provider, 'providerSku', provider_sku,
                   'coreMetered', core_metered), $9, $10, name)
          from made`;

export async function insertProduct(
  db: Database,
  product: ProductFields & { readonly slug: string },
  by: ChangedBy,
): Promise<number | Taken> {
  const values = [product.slug, ...productValues(product), ...changeValues(by)];
  const made = await unlessTaken(db.query(insertProductStatement, values));
  return typeof made === "string" ? made : (made[0]?.id ?? 0);
}

const fieldsJson = (row: string) => `
  jsonb_build_object('name', ${row}.name, 'description', ${row}.description, 'coreMetered', ${row}.core_metered,
    'workers', ${row}.workers, 'provider', ${row}.provider, 'providerSku', ${row}.provider_sku)`;

const updateProduct = statement("update_product")`
        with old as (
          select p.* from products p
           where p.id = $1 and ($11::text is null or p.xmin::text = $11) for no key update
        ), changed as (
          update products p set name = $2, description = $3, core_metered = $4, workers = $5, provider = $6, provider_sku = $7
            from old
           where p.id = old.id
             and ((p.provider, p.provider_sku) = ($6, $7)
                  or not has_kept_licenses(p.id))
             and (p.core_metered = $4 or not exists (
                  select from prices s join billing_cycles c on c.id = s.cycle_id where c.product_id = p.id))
          returning ${fieldsJson("old")} as before, ${fieldsJson("p")} as after, p.id, p.name
        )
        select write_audit_entry($8, 'catalog.update_product', null, 'product:' || id, '',
                 jsonb_build_object('changes', changes_between(before, after)), $9, $10, name)
          from changed`;

/**
 * False: no such product, another version, licenses that fix its provider and code, or prices that fix its metering.
 * No concurrent purchase interferes: `has_kept_licenses`.
 * @param seenVersion null: any version
 */
export async function updateProductRow(
  db: Database,
  id: number,
  product: ProductFields,
  seenVersion: string | null,
  by: ChangedBy,
): Promise<boolean | Taken> {
  const values = [id, ...productValues(product), ...changeValues(by), seenVersion];
  const changed = await unlessTaken(db.query(updateProduct, values));
  return typeof changed === "string" ? changed : changed.length > 0;
}

export type CycleOwner = { readonly productId: number } | { readonly bundleId: number };

const subjectOf = (owner: CycleOwner) =>
  "productId" in owner ? `product:${owner.productId}` : `bundle:${owner.bundleId}`;

const insertCycleStatement = statement("insert_cycle", { id: int })`
        with made as (
          insert into billing_cycles (product_id, bundle_id, name, months, provider_cycle)
          values ($1, $2, $3, $4, $5) returning *
        ), priced as (
          insert into prices (cycle_id, currency, price, setup_fee, price_per_core)
          select id, $6, $7, $8, $9::bigint from made
        )
        select id, write_audit_entry($11, 'catalog.create_cycle', null, $10, '',
                 jsonb_build_object('cycle', name, 'months', months, 'currency', $6::text, 'price', $7::bigint::text,
                   'setupFee', $8::bigint::text, 'pricePerCore', $9::bigint::text), $12, $13, name)
          from made`;

export async function insertCycle(
  db: Database,
  owner: CycleOwner,
  cycle: {
    readonly name: string;
    readonly months: number;
    readonly providerCycle: string | null;
    readonly price: CyclePrices & { readonly currency: string };
  },
  by: ChangedBy,
): Promise<number | Taken> {
  const { name, months, providerCycle } = cycle;
  const { currency, price, setupFee, pricePerCore } = cycle.price;
  const [productId, bundleId] = "productId" in owner ? [owner.productId, null] : [null, owner.bundleId];
  const fields = [productId, bundleId, name, months, providerCycle, currency, price, setupFee, pricePerCore];
  const values = [...fields, subjectOf(owner), ...changeValues(by)];
  const made = await unlessTaken(db.query(insertCycleStatement, values));
  return typeof made === "string" ? made : (made[0]?.id ?? 0);
}

/** False: another version exists. `seenVersion` null: any version. */
export const updateCycleRow = defineAny("update_cycle").values(
  (
    id: number,
    {
      name,
      providerCycle,
      seenVersion,
    }: { readonly name: string; readonly providerCycle: string | null; readonly seenVersion: string | null },
    { subject, label }: { readonly subject: string; readonly label: string },
    by: ChangedBy,
  ) => [id, name, providerCycle, seenVersion, subject, ...changeValues(by), label],
)`
      with old as (
        select c.* from billing_cycles c
         where c.id = $1 and ($4::text is null or c.xmin::text = $4) for no key update
      ), changed as (
        update billing_cycles c set name = $2, provider_cycle = $3 from old where c.id = old.id
        returning old.name as old_name, old.provider_cycle as old_provider_cycle, c.name, c.provider_cycle
      )
      select write_audit_entry($6, 'catalog.update_cycle', null, $5, '', jsonb_build_object('changes', changes_between(
               jsonb_build_object('name', old_name, 'providerCycle', old_provider_cycle),
               jsonb_build_object('name', name, 'providerCycle', provider_cycle))), $7, $8, $9)
        from changed`;
