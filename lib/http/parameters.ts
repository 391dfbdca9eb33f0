import { z } from "zod";
import { DomainError, invalidParameters, type ParameterProblem } from "#lib/domain/errors.ts";
import { parseHostname } from "#lib/domain/hostname.ts";
import { parseLicenseId, parseWebhookEndpointId } from "#lib/domain/ids.ts";
import { MAX_INTEGER, parsePositiveInteger } from "#lib/domain/integer.ts";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import { parseLicenseKey } from "#lib/domain/license-key.ts";
import { isWithinLength, NOTES_MAX_LENGTH, REASON_MAX_LENGTH } from "#lib/domain/text.ts";
import { parseTimestamp } from "#lib/domain/times.ts";
import type { RawParameters } from "./endpoint.ts";

/** A field of text that `parse` turns into a domain value, or refuses with `message`. */
function text<Value>(parse: (text: string) => Value | null, message: string) {
  return z.string().transform((value, ctx): Value => {
    const parsed = parse(value);
    if (parsed === null) {
      ctx.addIssue({ code: "custom", message });
      return z.NEVER;
    }
    return parsed;
  });
}

function limited(maxLength: number) {
  return text(
    (value) => (isWithinLength(value, maxLength) ? value : null),
    `must have at most ${maxLength} characters`,
  );
}

/** The grammar of decisions 1.8, for both interfaces and every form. */
export const parameter = {
  integer: z.union([z.string(), z.number()]).transform((value, ctx): number => {
    const parsed = parsePositiveInteger(value);
    if (parsed === null) {
      ctx.addIssue({ code: "custom", message: `must be a whole number from 1 to ${MAX_INTEGER}` });
      return z.NEVER;
    }
    return parsed;
  }),
  /** An integer from 1 to `max`; beyond it the problem is `out_of_range`. */
  integerUpTo: (max: number) =>
    z.union([z.string(), z.number()]).transform((value, ctx): number => {
      const parsed = parsePositiveInteger(value);
      if (parsed === null || parsed > max) {
        ctx.addIssue({
          code: "custom",
          message: `must be a whole number from 1 to ${max}`,
          params: { kind: "out_of_range" },
        });
        return z.NEVER;
      }
      return parsed;
    }),
  ipv4: text(parseIpv4, "must be an IPv4 address such as 203.0.113.7"),
  hostname: text(parseHostname, "must be a host name such as web1.example.com"),
  licenseKey: text(parseLicenseKey, "is not a license key: LIC- and four groups of five characters"),
  licenseId: text(parseLicenseId, "must be a license id such as lic_12"),
  webhookEndpointId: text(parseWebhookEndpointId, "must be the id of a webhook endpoint such as whe_12"),
  /** In a path: what is no id names nothing there, as an unknown one does. */
  inPath: <Id>(parse: (text: string) => Id | null) =>
    z.string().transform((text): Id => {
      const id = parse(text);
      if (id === null) throw new DomainError("not_found", "There is nothing with this id.");
      return id;
    }),
  timestamp: text(parseTimestamp, "must be a time in UTC such as 2027-01-31T00:00:00Z"),
  notes: limited(NOTES_MAX_LENGTH),
  reason: limited(REASON_MAX_LENGTH),
  limited,
  text,
};

/**
 * Reads parameters by a schema whose fields stand in the documented order.
 * @throws DomainError `parameters_invalid` with every problem, one a field, in that order (decisions 3.2).
 */
export function parseParameters<Schema extends z.ZodObject>(schema: Schema, raw: RawParameters): z.output<Schema> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const problems = new Map<string, ParameterProblem>();
  for (const issue of parsed.error.issues) {
    const field = String(issue.path[0] ?? "");
    if (!problems.has(field)) problems.set(field, toProblem(field, issue, raw));
  }
  throw invalidParameters([...problems.values()]);
}

function toProblem(field: string, issue: z.core.$ZodIssue, raw: RawParameters): ParameterProblem {
  if (raw[field] === undefined) return { field, kind: "missing", message: "is required" };
  if (issue.code === "invalid_type" || issue.code === "invalid_union")
    return { field, kind: "wrong_type", message: "has the wrong type" };
  const outOfRange = issue.code === "custom" && issue.params?.kind === "out_of_range";
  return { field, kind: outOfRange ? "out_of_range" : "malformed", message: issue.message };
}
