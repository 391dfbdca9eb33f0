import { findKnownReferences } from "#lib/db/provider/provider.ts";
import type { ProviderBookDetail, ProviderBookEntry } from "#lib/ports/license-provider.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { getProvider } from "./get.ts";

/** Records read one by one; bounded because the provider limits our requests. */
const MAX_DETAILS = 400;

/**
 * A provider's books, with its own names of licenses translated to our references.
 * @throws DomainError `not_found`, `provider_unavailable`
 */
export async function readProviderBooks(
  ctx: ServiceContext,
  input: { readonly provider: string },
): Promise<readonly ProviderBookEntry[]> {
  requireAdmin(ctx, "cases:decide");
  const provider = await getProvider(ctx, input.provider);
  const entries: ProviderBookEntry[] = [];
  for await (const page of provider.bookPages((names) => findKnownReferences(ctx.db, input.provider, names))) {
    entries.push(...page);
  }
  if (!provider.bookDetails) return entries;
  const wanted = entries.filter(isIncomplete).flatMap(({ providerReference }) => providerReference ?? []);
  const details = new Map<string, ProviderBookDetail>();
  for await (const detail of provider.bookDetails(wanted.slice(0, MAX_DETAILS))) {
    if (detail !== null) details.set(detail.providerReference, detail);
  }
  return entries.map((entry) => complete(entry, details.get(entry.providerReference ?? "")));
}

function isUnnamed({ reference, providerReference }: ProviderBookEntry): boolean {
  return reference === `provider:${providerReference}`;
}

function isIncomplete(entry: ProviderBookEntry): boolean {
  return isUnnamed(entry) || Object.values(entry.facts).includes(undefined);
}

function complete(entry: ProviderBookEntry, detail: ProviderBookDetail | undefined): ProviderBookEntry {
  if (!detail) return entry;
  const reference = isUnnamed(entry) ? (detail.reference ?? entry.reference) : entry.reference;
  return { ...entry, reference, facts: { ...entry.facts, ...detail.facts } };
}
