import type { BookDetailRow, BookEntryRow } from "#lib/db/reconciliation/books.ts";
import type { ProviderBookDetail, ProviderBookEntry } from "#lib/ports/license-provider.ts";

/**
 * An entry of a provider's books as stored for the comparison.
 * @param hasDetails whether the provider has records with our reference
 */
export function toEntryRow(
  { reference, providerReference, facts }: ProviderBookEntry,
  { hasDetails }: { readonly hasDetails: boolean },
): BookEntryRow {
  const { product, address, cores, state, term } = facts;
  return {
    reference,
    provider_reference: providerReference ?? null,
    product: product ?? null,
    ip_address: address ?? null,
    cores: cores ?? null,
    cores_known: cores !== undefined,
    state: state ?? null,
    expires_at: term !== undefined && "expiresAt" in term ? term.expiresAt : null,
    expires_on: term !== undefined && "expiresOn" in term ? term.expiresOn : null,
    unread: hasDetails && reference === `provider:${providerReference}`,
  };
}

/** @param reference of the entry that the detail completes */
export function toDetailRow(reference: string, { reference: own, facts }: ProviderBookDetail): BookDetailRow {
  const { address, cores, state, term } = facts;
  return { reference, own_reference: own, ip_address: address, cores, state, expires_at: term.expiresAt };
}
