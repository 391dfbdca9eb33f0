import { parseLicenseId } from "#lib/domain/ids.ts";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import type { FindKnownReferences, ProviderBookDetail, ProviderBookEntry } from "#lib/ports/license-provider.ts";
import { type LicenseInfo, type LicenseListItem, productsSchema } from "./dispatch-answers.ts";
import type { DispatchReader } from "./dispatch-reader.ts";
import { referenceIn } from "./dispatch-state.ts";

const DETAILS_AT_ONCE = 4;

type Product = { readonly sku: string; readonly coreMetered: boolean };
type BookState = ProviderBookDetail["facts"]["state"];

/**
 * The provider's licenses from its list, 1000 a request: product, status, the term's last day, and the address unless a
 * host name hides it. Cores of a metered product are in a license's own record alone, and so is our reference in one that
 * we do not know.
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
    const known = await findKnown(page.map(idOf));
    yield page.map((item) => toEntry(item, known, productByType.get(item.type)));
  }
}

/** The records of single licenses, several at once; ends before the first that cannot be read now. */
export async function* readDispatchDetails(
  reader: DispatchReader,
  names: readonly string[],
): AsyncGenerator<ProviderBookDetail | null> {
  for (let start = 0; start < names.length; start += DETAILS_AT_ONCE) {
    const licenseIds = names.slice(start, start + DETAILS_AT_ONCE).map(Number);
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
  const providerReference = idOf(item);
  return {
    reference: known.get(providerReference) ?? `provider:${providerReference}`,
    providerReference,
    facts: {
      product: product?.sku,
      address: parseIpv4(item.server) ?? undefined,
      cores: product?.coreMetered === false ? null : undefined,
      state: stateOf(item.status),
      term: { expiresOn: item.expires },
    },
  };
}

function toDetail(info: LicenseInfo): ProviderBookDetail {
  return {
    providerReference: String(info.license_id),
    reference: referenceIn(info.notes),
    facts: {
      address: info.ip_address,
      cores: info.cores,
      state: stateOf(info.status),
      term: { expiresAt: toTimestamp(new Date(info.expires_at)) },
    },
  };
}

/** An expired license is there, with its term over. */
function stateOf(status: string): BookState {
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
