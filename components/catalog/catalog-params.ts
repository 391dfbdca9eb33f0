import { createLoader, createSerializer, parseAsStringLiteral } from "nuqs/server";
import { parseAsId, parseAsText } from "#components/ui/list-params.ts";
import { catalogStates } from "#lib/domain/catalog.ts";

/** The lists of products and bundles in their URLs. */
export const catalogParams = {
  q: parseAsText(),
  state: parseAsStringLiteral(catalogStates),
  provider: parseAsText(),
  after: parseAsId,
};

export const loadCatalogParams = createLoader(catalogParams);
export const catalogHref = createSerializer(catalogParams);
