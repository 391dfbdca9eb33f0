import { createLoader, parseAsStringLiteral } from "nuqs/server";
import { parseAsText } from "#components/ui/list-params.ts";

/** The list of a reseller's prices in its URL. `own`: only those that are its own. */
export const ownPriceParams = { q: parseAsText(), own: parseAsStringLiteral(["1"]) };

export const loadOwnPriceParams = createLoader(ownPriceParams);
