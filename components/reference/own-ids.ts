import { formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";

/** What the examples name, of a reseller's own; absent without a product or a license. */
interface OwnIds {
  readonly product?: { readonly product_id: number; readonly cycle_id: number } | undefined;
  readonly license?: { readonly license_id: number; readonly license_key: string } | undefined;
}

/** The first product on sale and the oldest license of a key's reseller. @throws Error if they cannot be read */
export async function readOwnIds(apiKey: string): Promise<OwnIds> {
  const read = async (query: string) => {
    const headers = { "X-API-Key": apiKey };
    const response = await fetch(`/api/v1/?endpoint=${query}`, { headers, credentials: "omit" });
    if (!response.ok) throw new Error(`${query}: ${response.status}`);
    return (await response.json()).data;
  };
  const [{ products }, { licenses }] = await Promise.all([read("products"), read("license.list&limit=1")]);
  const [product] = products;
  return {
    product: product && { product_id: product.product_id, cycle_id: product.cycles[0]?.cycle_id },
    license: licenses[0],
  };
}

/** Whether an example names ids that can be replaced. */
export function namesIds(text: string): boolean {
  const others = { product: { product_id: 0, cycle_id: 0 }, license: { license_id: 0, license_key: "" } };
  return withOwnIds(text, others) !== text;
}

/** An example's text with own ids in place of the contract's. */
export function withOwnIds(text: string, { product, license }: OwnIds): string {
  const withProduct = product
    ? text
        .replace(/\bproduct_id=1\b/, `product_id=${product.product_id}`)
        .replace(/\bcycle_id=1\b/, `cycle_id=${product.cycle_id}`)
    : text;
  if (!license) return withProduct;
  return withProduct
    .replace(/\blicense_id=12\b/, `license_id=${license.license_id}`)
    .replace(/\blic_12\b/, formatLicenseId(license.license_id as LicenseId))
    .replace("LIC-AN7X6-1SCXJ-P6RB7-C93C7", license.license_key);
}
