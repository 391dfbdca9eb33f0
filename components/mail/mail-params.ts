import { createLoader, createSerializer, parseAsStringLiteral } from "nuqs/server";
import { parseAsLongId, searchParams } from "#components/ui/list-params.ts";
import { mailStates } from "./mail.ts";

/** The outbox in its URL. */
export const mailParams = { q: searchParams.q, state: parseAsStringLiteral(mailStates), before: parseAsLongId };

export const loadMailParams = createLoader(mailParams);
export const mailListHref = createSerializer(mailParams);
