import { createLoader, createSerializer, parseAsStringLiteral } from "nuqs/server";
import { parseAsId } from "#components/ui/list-params.ts";
import { topUpStates } from "./top-up-request.ts";

/** A list of top-up requests in its URL. `any` is written out, because the admins' list begins with `requested`. */
const topUpParams = { state: parseAsStringLiteral([...topUpStates, "any"]), before: parseAsId };

export const loadTopUpParams = createLoader(topUpParams);
export const topUpListHref = createSerializer(topUpParams);
