import { parseLicenseId } from "#lib/domain/ids.ts";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import type { ProviderBookEntry } from "#lib/ports/license-provider.ts";
import { type LicenseInfo, type LicenseListItem, productsSchema } from "./dispatch-answers.ts";
import type { DispatchReader } from "./dispatch-reader.ts";
import { referenceIn } from "./dispatch-state.ts";

/** Licenses that are asked about one by one, at most: the provider counts our requests. */
const MAX_DETAILS = 400;
const DETAILS_AT_ONCE = 4;

type Product = { readonly sku: string; readonly coreMetered: boolean };

/**
 * The provider's licenses from its list, 1000 a request, which tells product, status, last day and address. One by one
 * only what the list cannot tell: whose a license is that we do not know, an address hidden by a host name, the cores
 * of a metered product; the most telling first, up to a limit, and the rest is marked as untold.
 */
export async function readDispatchBooks(
  reader: DispatchReader,
  known: ReadonlyMap<string, string>,
): Promise<readonly ProviderBookEntry[]> {
  const { products } = await reader.read("products", productsSchema);
  const productByType = new Map(
    products.map(({ type, product_id, core_metered }) => [
      type,
      { sku: String(product_id), coreMetered: core_metered },
    ]),
  );
  const items: LicenseListItem[] = [];
  for await (const page of reader.listLicenses()) items.push(...page);

  const wanted = items
    .map((item) => ({ item, need: detailNeeded(item, known, productByType.get(item.type)) }))
    .filter(({ need }) => need > 0)
    .sort((a, b) => b.need - a.need)
    .slice(0, MAX_DETAILS)
    .map(({ item }) => item);
  const details = await readDetails(reader, wanted);
  return items.map((item) => toEntry(item, known, productByType.get(item.type), details.get(item.id)));
}

/** 0: the list tells all. Otherwise the higher the more it matters. */
function detailNeeded(item: LicenseListItem, known: ReadonlyMap<string, string>, product: Product | undefined): number {
  if (!known.has(idOf(item))) return 3;
  if (parseIpv4(item.server) === null) return 2;
  return product?.coreMetered === false ? 0 : 1;
}

async function readDetails(
  reader: DispatchReader,
  items: readonly LicenseListItem[],
): Promise<ReadonlyMap<string, LicenseInfo>> {
  const details = new Map<string, LicenseInfo>();
  const queue = items.values();
  const work = async () => {
    for (const item of queue) {
      const info = await reader.readLicense(Number(idOf(item)));
      // Away, or tired of us: what is read is enough for now.
      if (info === null) return;
      details.set(item.id, info);
    }
  };
  await Promise.all(Array.from({ length: DETAILS_AT_ONCE }, work));
  return details;
}

function toEntry(
  item: LicenseListItem,
  known: ReadonlyMap<string, string>,
  product: Product | undefined,
  info: LicenseInfo | undefined,
): ProviderBookEntry {
  const providerReference = idOf(item);
  const ipAddress = info?.ip_address ?? parseIpv4(item.server);
  const untold = [
    ...(product ? [] : (["product"] as const)),
    ...(ipAddress === null ? (["ipAddress"] as const) : []),
    ...(info || product?.coreMetered === false ? [] : (["cores"] as const)),
  ];
  return {
    reference: known.get(providerReference) ?? referenceIn(info?.notes ?? "") ?? `provider:${providerReference}`,
    providerReference,
    product: product?.sku ?? "",
    ipAddress: ipAddress ?? "",
    cores: info?.cores ?? null,
    state: stateOf(item.status),
    expiresOn: item.expires,
    ...(untold.length > 0 ? { untold } : {}),
  };
}

/** An expired license is there, with its term over. */
function stateOf(status: string): ProviderBookEntry["state"] {
  switch (status) {
    case "suspended":
    case "terminated":
    case "pending":
      return status;
    default:
      return "active";
  }
}

/** `lic_12` → `12`, the provider's name of the license. */
function idOf({ id }: LicenseListItem): string {
  return String(parseLicenseId(id));
}
