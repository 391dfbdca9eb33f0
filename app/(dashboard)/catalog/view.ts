import { textOf } from "#app/search-params.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { type CatalogState, catalogStates } from "#lib/services/catalog/list-catalog.ts";

/** What the list shows: all of it is in the address. */
export interface CatalogView {
  readonly q: string | null;
  readonly state: CatalogState | null;
  readonly provider: string | null;
  readonly after: number | null;
}

const MAX_SEARCH_LENGTH = 200;

/** What makes no sense is left out: an address typed by hand never fails. */
export function parseView(query: Readonly<Record<string, string | string[] | undefined>>): CatalogView {
  return {
    q: textOf(query.q)?.slice(0, MAX_SEARCH_LENGTH) ?? null,
    state: catalogStates.find((state) => state === textOf(query.state)) ?? null,
    provider: textOf(query.provider),
    after: parsePositiveInteger(textOf(query.after)),
  };
}
