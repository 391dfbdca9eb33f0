import { invalidParameters, type ParameterProblem } from "#lib/domain/errors.ts";
import { type EventKind, eventKinds, parseEventKinds } from "#lib/domain/events.ts";
import { isStorableWithin } from "#lib/domain/text.ts";
import type { WebhookFormat } from "#lib/domain/webhook-format.ts";
import {
  type Destination,
  type DestinationFields,
  type DestinationSettings,
  parseDestination,
  requireDestination,
} from "./destination.ts";

const DESCRIPTION_MAX_LENGTH = 500;
const CONCURRENCY_MAX = 10;

/** Absent fields have their default, or are not changed. */
export interface EndpointFields extends DestinationFields {
  /** Default: `standard`. Never changes. */
  readonly format?: WebhookFormat | undefined;
  readonly description?: string | undefined;
  /** Kinds of events; empty: all. */
  readonly events?: readonly string[] | undefined;
  /** Concurrent requests, 1–10. */
  readonly concurrency?: number | undefined;
  /** One at a time, in the order of the events. */
  readonly ordered?: boolean | undefined;
}

interface CheckedFields extends Destination {
  readonly kinds: readonly EventKind[] | undefined;
}

/**
 * Returns the normalized destination and kinds. Absent fields are not checked.
 * @param existing null for a new endpoint, which needs a whole destination
 * @throws DomainError `parameters_invalid` with all problems
 */
export function checkEndpointFields(
  fields: EndpointFields,
  existing: WebhookFormat | null,
  settings: DestinationSettings,
): CheckedFields {
  const { description, events, concurrency, format = existing ?? "standard" } = fields;
  const problems: ParameterProblem[] = [];
  const complain = (field: string, message: string, kind: ParameterProblem["kind"] = "malformed") =>
    problems.push({ field, kind, message });
  if (existing === null) requireDestination(fields, format, complain);
  else if (format !== existing) complain("format", "cannot be changed: add another endpoint");
  const destination = parseDestination(fields, existing ?? format, settings, complain);
  if (description !== undefined && !isStorableWithin(description, DESCRIPTION_MAX_LENGTH)) {
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
  return { ...destination, kinds: kinds ?? undefined };
}
