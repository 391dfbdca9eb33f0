import { createLoader, createSerializer, parseAsBoolean, parseAsStringLiteral } from "nuqs/server";
import { searchParams } from "#components/ui/list-params.ts";

/** The list of resellers in its URL. `low`: only those with a low balance; `sort`: unless newest first. */
export const resellerParams = { ...searchParams, low: parseAsBoolean, sort: parseAsStringLiteral(["name"]) };
export const loadResellerParams = createLoader(resellerParams);
export const resellerListHref = createSerializer(resellerParams);
