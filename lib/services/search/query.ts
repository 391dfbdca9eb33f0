import { escapeLikePattern } from "#lib/db/connection/like-pattern.ts";
import { apiKeyHint, parseApiKey } from "#lib/domain/api-key.ts";
import { type OperationId, parseEventId, parseOperationId, parseWebhookEndpointId } from "#lib/domain/ids.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import { toSearchWords } from "#lib/domain/search-text.ts";
import { isStorable } from "#lib/domain/text.ts";

const REQUEST_ID = /^req_[\w-]{1,40}$/;

/** What a search text can name, and its words. */
export type SearchQuery = ReturnType<typeof toSearchQuery>;

/** Null for a text without a letter or digit. */
export function toSearchQuery(typed: string) {
  const text = typed.trim();
  const words = isStorable(text) ? toSearchWords(text) : [];
  const [first] = words;
  if (first === undefined) return null;
  const only = words.length === 1 ? first : null;
  const lower = text.toLowerCase();
  return {
    text,
    /** Of ILIKE, which tells final sigmas from others: each word, anywhere. */
    patterns: words.map(({ beginning }) => `%${escapeLikePattern(beginning).replaceAll("σ", "_")}%`),
    number: parsePositiveInteger(text),
    licenseId: only?.licenseId ?? null,
    bundleInstanceId: only?.bundleInstanceId ?? parsePositiveInteger(text),
    /** `bundle 2` also finds its licenses, which come after it. */
    isBundle: only !== null && only.bundleInstanceId !== null,
    address: parseIpv4(text),
    keyHint: parseApiKey(text) === null ? null : apiKeyHint(text),
    endpointId: parseWebhookEndpointId(lower),
    requestId: REQUEST_ID.test(text) ? text : null,
    eventId: parseEventId(lower) ?? parseEventId(`evt_${lower}`),
    operationId: parseOperationId(lower.replace(/^op_/, "")) as OperationId | null,
  };
}
