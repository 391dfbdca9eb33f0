import { createLoader, createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { parseAsId, parseAsText } from "#components/ui/list-params.ts";
import { caseKinds } from "#lib/domain/reconciliation.ts";

/** The inbox in its URL. */
export const caseParams = {
  kind: parseAsStringLiteral(caseKinds),
  provider: parseAsText(),
  reseller: parseAsId,
  state: parseAsStringLiteral(["resolved"]),
  before: parseAsId,
  after: parseAsId,
};

export const loadCaseParams = createLoader(caseParams);
export const caseListHref = createSerializer(caseParams);
export type InboxView = inferParserType<typeof caseParams>;
