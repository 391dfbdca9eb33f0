import { createLoader, createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { parseAsLongId, parseAsText, timeParams } from "#components/ui/list-params.ts";
import { eventKinds } from "#lib/domain/events.ts";
import { parseWebhookEndpointId } from "#lib/domain/ids.ts";
import { filterOutcomes } from "./filter-outcome.ts";

/** The webhook log in its URL. */
export const logParams = {
  endpoint: parseAsText((text) => parseWebhookEndpointId(text) !== null),
  kind: parseAsStringLiteral(eventKinds),
  outcome: parseAsStringLiteral(filterOutcomes.map(({ value }) => value)),
  /** As typed. */
  license: parseAsText(),
  ...timeParams,
  /** The delivery that the page before ended with. */
  before: parseAsLongId,
};

export const LOG_PATH = "/webhooks/log";
export const loadLogParams = createLoader(logParams);
export const logHref = createSerializer(logParams);
export type LogView = inferParserType<typeof logParams>;
