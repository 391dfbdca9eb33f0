import { createLoader, createSerializer, parseAsBoolean } from "nuqs/server";
import { searchParams } from "#components/ui/list-params.ts";

/** The list of resellers in its URL. `low`: only those with a low balance. */
export const resellerParams = { ...searchParams, low: parseAsBoolean };
export const loadResellerParams = createLoader(resellerParams);
export const resellerListHref = createSerializer(resellerParams);
