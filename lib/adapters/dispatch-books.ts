import { parseLicenseId } from "#lib/domain/ids.ts";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import type { FindKnownReferences, ProviderBookDetail, ProviderBookEntry } from "#lib/ports/license-provider.ts";
import type { DispatchReader } from "./dispatch-reader.ts";
import { parseReference } from "./dispatch-state.ts";
import { type LicenseInfo, type LicenseListItem, productsSchema } from "./parse-reply.ts";

const CONCURRENT_DETAILS = 4;

type Product = { readonly sku: string; readonly coreMetered: boolean };
type BookState = ProviderBookDetail["facts"]["state"];

/**
 * The provider's licenses from its list, 1000 per request: product, status, the last day of the term, and the address
 * unless a host name hides it. Only a license's own record has its cores, and our reference if we do not know its id.
 */
export async function* readDispatchBooks(
  reader: DispatchReader,
  findKnown: FindKnownReferences,
): AsyncGenerator<readonly ProviderBookEntry[]> {
  const { products } = await reader.read("products", productsSchema);
  const productByType = new Map(
    products.map(({ type, product_id, core_metered }) => [
      type,
      { sku: String(product_id), coreMetered: core_metered },
    ]),
  );
  for await (const page of reader.listLicenses()) {
    const known = await findKnown(page.map(providerIdOf));
    yield page.map((item) => toEntry(item, known, productByType.get(item.type)));
  }
}

/** Records of single licenses, several concurrently; ends before the first unreadable one. */
export async function* readDispatchDetails(
  reader: DispatchReader,
  names: readonly string[],
): AsyncGenerator<ProviderBookDetail | null> {
  for (let start = 0; start < names.length; start += CONCURRENT_DETAILS) {
    const licenseIds = names.slice(start, start + CONCURRENT_DETAILS).map(Number);
    for (const read of await Promise.all(licenseIds.map((licenseId) => reader.readLicense(licenseId)))) {
      if (read.kind === "unreachable") return;
      yield read.kind === "read" ? toDetail(read.value) : null;
    }
  }
}

function toEntry(
  item: LicenseListItem,
  known: ReadonlyMap<string, string>,
  product: Product | undefined,
): ProviderBookEntry {
  const providerReference = providerIdOf(item);
  return {
    reference: known.get(providerReference) ?? `provider:${providerReference}`,
    providerReference,
    facts: {
      product: product?.sku,
      address: parseIpv4(item.server) ?? undefined,
      cores: product?.coreMetered === false ? null : undefined,
      state: toBookState(item.status),
      term: { expiresOn: item.expires },
    },
  };
}

function toDetail(info: LicenseInfo): ProviderBookDetail {
  return {
    providerReference: String(info.license_id),
    reference: parseReference(info.notes),
    facts: {
      address: info.ip_address,
      cores: info.cores,
      state: toBookState(info.status),
      term: { expiresAt: toTimestamp(new Date(info.expires_at)) },
    },
  };
}

/** An expired license exists, with its term over. */
function toBookState(status: string): BookState {
  switch (status) {
    case "suspended":
    case "terminated":
    case "pending":
      return status;
    default:
      return "active";
  }
}

/** `lic_12` → `12`, the provider's identifier of the license. */
function providerIdOf({ id }: LicenseListItem): string {
  return String(parseLicenseId(id));
}
