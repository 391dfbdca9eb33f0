import type { BookEntryRow } from "#lib/db/reconciliation-comparison.ts";
import type { LicenseProvider, ProviderBookEntry } from "#lib/ports/license-provider.ts";

const PAGE_SIZE = 1_000;

/** A provider's books a page at a time. `findKnown` is asked only of providers that tell their own names alone. */
export async function* readBookPages(
  provider: LicenseProvider,
  findKnown: () => Promise<ReadonlyMap<string, string>>,
): AsyncGenerator<readonly BookEntryRow[]> {
  if (provider.bookPages) {
    for await (const page of provider.bookPages()) yield page.map(toRow);
    return;
  }
  const books = await provider.books(await findKnown());
  for (let start = 0; start < books.length; start += PAGE_SIZE) yield books.slice(start, start + PAGE_SIZE).map(toRow);
}

function toRow(entry: ProviderBookEntry): BookEntryRow {
  return {
    reference: entry.reference,
    provider_reference: entry.providerReference ?? null,
    product: entry.product,
    ip_address: entry.untold?.includes("ipAddress") ? null : entry.ipAddress,
    cores: entry.cores,
    cores_told: !entry.untold?.includes("cores"),
    state: entry.state,
    expires_on: entry.expiresOn ?? null,
  };
}
