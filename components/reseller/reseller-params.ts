import { createLoader, createSerializer, parseAsBoolean, parseAsStringLiteral } from "nuqs/server";
import { parseAsText, searchParams } from "#components/ui/list-params.ts";
import { toLocalPath } from "#lib/domain/local-path.ts";

/** The list of resellers in its URL. `low`: only those with a low balance; `sort`: unless newest first. */
export const resellerParams = { ...searchParams, low: parseAsBoolean, sort: parseAsStringLiteral(["name"]) };
export const loadResellerParams = createLoader(resellerParams);
export const resellerListHref = createSerializer(resellerParams);

/** A page of the reseller that an admin looked for: opening it asks to act as the reseller. */
const openParams = { open: parseAsText((text) => toLocalPath(text) === text) };

export const loadOpen = createLoader(openParams);
export const openHref = createSerializer(openParams);

/** The list of a reseller's prices in its URL. `own`: only those that are its own. */
export const ownPriceParams = { q: parseAsText(), own: parseAsStringLiteral(["1"]) };

export const loadOwnPriceParams = createLoader(ownPriceParams);
