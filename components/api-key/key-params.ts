import { createLoader, createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { parseAsId, parseAsPlace, parseAsText, timeParams } from "#components/ui/list-params.ts";
import { keyStates, requestSpans, statusGroups } from "./request-filter.ts";

/** The list of keys in its URL. `of`: those of programs, or of agents. */
const keyListParams = {
  of: parseAsStringLiteral(["agents"]),
  state: parseAsStringLiteral(keyStates.map(({ value }) => value)),
  before: parseAsId,
};

export const loadKeyListParams = createLoader(keyListParams);
export const keyListHref = createSerializer(keyListParams);
export type KeyListView = inferParserType<typeof keyListParams>;

/** What the form for a key begins with. */
const keyFormParams = { preset: parseAsText(), license: parseAsText() };

export const loadKeyFormStart = createLoader(keyFormParams);
export type KeyFormStart = inferParserType<typeof keyFormParams>;

/** The request log in its URL. */
export const requestParams = {
  /** Not where the page is of one key. */
  key: parseAsId,
  request: parseAsText(),
  status: parseAsStringLiteral(statusGroups.map(({ value }) => value)),
  operation: parseAsText(),
  ...timeParams,
  span: parseAsStringLiteral(requestSpans),
  before: parseAsPlace,
};

export const loadRequestParams = createLoader(requestParams);
export const requestLogHref = createSerializer(requestParams);
export type RequestView = inferParserType<typeof requestParams>;
