import { invalidParameters, type ParameterProblem } from "#lib/domain/errors.ts";
import { type EventKind, eventKinds, parseEventKinds } from "#lib/domain/events.ts";
import { PUBLIC_TARGETS, type TargetRules } from "#lib/domain/public-address.ts";
import { hasNul, isWithinLength } from "#lib/domain/text.ts";
import { parseWebhookUrl } from "#lib/domain/webhook-url.ts";

const DESCRIPTION_MAX_LENGTH = 500;
const CONCURRENCY_MAX = 10;

/** Absent fields are not checked. */
interface EndpointFields {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  /** Kinds of events; empty: all. */
  readonly events?: readonly string[] | undefined;
  readonly concurrency?: number | undefined;
}

interface CheckedFields {
  readonly url: string | undefined;
  readonly kinds: readonly EventKind[] | undefined;
}

/** Returns the normalized URL and kinds. @throws DomainError `parameters_invalid` with all problems */
export function checkEndpointFields(fields: EndpointFields, rules: TargetRules = PUBLIC_TARGETS): CheckedFields {
  const { url, description, events, concurrency } = fields;
  const problems: ParameterProblem[] = [];
  const complain = (field: string, message: string, kind: ParameterProblem["kind"] = "malformed") =>
    problems.push({ field, kind, message });
  const parsedUrl = url === undefined ? undefined : parseWebhookUrl(url, rules);
  if (parsedUrl && "problem" in parsedUrl) complain("url", parsedUrl.problem);
  if (description !== undefined && (hasNul(description) || !isWithinLength(description, DESCRIPTION_MAX_LENGTH))) {
    complain("description", `must have at most ${DESCRIPTION_MAX_LENGTH} characters`);
  }
  const kinds = events === undefined ? undefined : parseEventKinds(events);
  if (kinds === null) complain("events", `must be kinds of events: ${eventKinds.join(", ")}`);
  if (
    concurrency !== undefined &&
    !(Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= CONCURRENCY_MAX)
  ) {
    complain("concurrency", `must be a whole number from 1 to ${CONCURRENCY_MAX}`, "out_of_range");
  }
  if (problems.length > 0) throw invalidParameters(problems);
  return { url: parsedUrl && "url" in parsedUrl ? parsedUrl.url : undefined, kinds: kinds ?? undefined };
}
