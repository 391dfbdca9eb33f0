/** The sandbox provider's books in another provider's form. */
import type { ProviderTraits } from "#lib/domain/provider-traits.ts";
import type { LicenseProvider, ProviderBookEntry } from "#lib/ports/license-provider.ts";

type Facts = ProviderBookEntry["facts"];
export type Retell = (facts: Facts, reference: string) => Partial<Facts>;

/** A provider that counts terms itself, cannot terminate, and reports only the day of a term's end. */
export const counting: ProviderTraits = { terms: "counted", endsBySuspending: true };

export function reportingAs(provider: LicenseProvider, traits: ProviderTraits, retell: Retell): LicenseProvider {
  return {
    ...provider,
    traits,
    async *bookPages(findKnown) {
      for await (const page of provider.bookPages(findKnown)) {
        yield page.map((entry) => ({ ...entry, facts: { ...entry.facts, ...retell(entry.facts, entry.reference) } }));
      }
    },
  };
}

export function byDay({ term }: Facts): Partial<Facts> {
  return term !== undefined && "expiresAt" in term ? { term: { expiresOn: term.expiresAt.slice(0, 10) } } : {};
}
