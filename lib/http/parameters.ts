import { z } from "zod";
import { invalidParameters, type ParameterProblem } from "#lib/domain/errors.ts";
import { parseHostname } from "#lib/domain/hostname.ts";
import { parseLicenseId, parseOperationId, parseWebhookEndpointId } from "#lib/domain/ids.ts";
import { isInteger, MAX_INTEGER, parsePositiveInteger } from "#lib/domain/integer.ts";
import { IPV4_RULE, parseIpv4 } from "#lib/domain/ipv4.ts";
import {
  CUSTOMER_EMAIL_MAX_LENGTH,
  CUSTOMER_FIELD_RULES,
  CUSTOMER_NAME_MAX_LENGTH,
  CUSTOMER_REFERENCE_MAX_LENGTH,
  type Customer,
  parseCustomerField,
  parseTag,
  parseTags,
  TAG_MAX_LENGTH,
  TAGS_RULE,
} from "#lib/domain/labels.ts";
import { describeAddressProblem, parseLicenseAddress } from "#lib/domain/license-address.ts";
import { parseLicenseKey } from "#lib/domain/license-key.ts";
import { type Currency, parseMajor, toMajorText } from "#lib/domain/money.ts";
import { EXTERNAL_ID_MAX_LENGTH, isWithinLength, NOTES_MAX_LENGTH, REASON_MAX_LENGTH } from "#lib/domain/text.ts";
import { parseTimestamp } from "#lib/domain/times.ts";
import type { RawParameters } from "./endpoint.ts";
import { JsonNumber } from "./json-number.ts";

/** JSON Schema of what is sent, for the API reference: a schema that parses text does not say which text. */
type SentAs = Readonly<Record<string, unknown>>;

/** A text field that `parse` converts to a domain value, or rejects with `message`. */
function text<Value>(
  parse: (text: string) => Value | null,
  message: string | ((text: string) => string),
  sentAs: SentAs = {},
) {
  const messageOf = (text: string) => (typeof message === "string" ? message : message(text));
  const sent = z.string({ error: messageOf("") }).meta(sentAs);
  return sent.transform((value, ctx): Value => {
    const parsed = parse(value);
    if (parsed === null) {
      ctx.addIssue({ code: "custom", message: messageOf(value) });
      return z.NEVER;
    }
    return parsed;
  });
}

function limited(maxLength: number) {
  return text(
    (value) => (isWithinLength(value, maxLength) ? value : null),
    `must be text of at most ${maxLength} characters`,
    { maxLength },
  );
}

/** Numbers from JSON and forms, and plain numbers of our own pages. */
function isWrittenNumber(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || value instanceof JsonNumber;
}

/**
 * An integer from 1 to `max` in canonical decimal form.
 * @param beyond the problem of another integer
 */
function integer(max: number, beyond: ParameterProblem["kind"] = "malformed") {
  const message = `must be a whole number from 1 to ${max}`;
  return z
    .custom<string | number>(isWrittenNumber, { error: message, params: { kind: "wrong_type" } })
    .meta({ override: { type: "integer", minimum: 1, maximum: max } })
    .transform((value: unknown, ctx): number => {
      const parsed = parsePositiveInteger(value instanceof JsonNumber ? value.text : value);
      if (parsed === null || parsed > max) {
        const kind = isInteger(String(value)) ? beyond : "malformed";
        ctx.addIssue({ code: "custom", message, params: { kind } });
        return z.NEVER;
      }
      return parsed;
    });
}

const NUMBER_MAX_LENGTH = 40;
/** Significant digits that a double represents exactly. */
const EXACT_DIGITS = 15;

/** JSON has several notations of a number, such as 12.5, 12.500 and 1.25e1. 1.999… must not be read as 2. */
function isExact({ text }: JsonNumber): boolean {
  if (text.length > NUMBER_MAX_LENGTH) return false;
  const digits = text.replace(/e.*$/i, "").replaceAll(/\D/g, "").replace(/^0+/, "");
  return digits.length <= EXACT_DIGITS;
}

function price(currency: Currency) {
  const message = `must be an amount in ${currency} such as ${toMajorText(1250n, currency)}`;
  return z
    .custom<string | number>(isWrittenNumber, { error: message, params: { kind: "wrong_type" } })
    .meta({ override: { type: "number" } })
    .transform((value: unknown, ctx): bigint => {
      const parsed =
        parseMajor(String(value), currency) ??
        (value instanceof JsonNumber && isExact(value) ? parseMajor(String(Number(value.text)), currency) : null);
      if (parsed === null) {
        ctx.addIssue({ code: "custom", message });
        return z.NEVER;
      }
      return parsed;
    });
}

function customerField(field: keyof Customer, sentAs: SentAs = {}) {
  return text(parseCustomerField[field], CUSTOMER_FIELD_RULES[field], sentAs);
}

/** Text of tags separated by commas; in JSON a list, too. */
const tags = z
  .custom<string | readonly string[]>(
    (value) => typeof value === "string" || (Array.isArray(value) && value.every((tag) => typeof tag === "string")),
    { error: TAGS_RULE, params: { kind: "wrong_type" } },
  )
  .meta({ override: { type: ["string", "array"], items: { type: "string" }, examples: ["eu,vip"] } })
  .transform((value, ctx): readonly string[] => {
    const parsed = parseTags(value);
    if (parsed === null) {
      ctx.addIssue({ code: "custom", message: TAGS_RULE });
      return z.NEVER;
    }
    return parsed;
  });

const flag = z
  .custom<string | boolean>((value) => ["true", "false", true, false].includes(value as string | boolean), {
    error: "must be true or false",
  })
  .meta({ override: { type: "boolean" } })
  .transform((value: unknown) => value === true || value === "true");

/** The grammar of contract 1.8, shared by both interfaces and all forms. */
export const parameter = {
  integer: integer(MAX_INTEGER),
  /** An integer below 1 or beyond `max` is `out_of_range`. */
  integerUpTo: (max: number) => integer(max, "out_of_range"),
  /** An amount in major units, parsed to minor units: exact to the minor unit (contract 1.9, 3.15). */
  price,
  /** An address in a filter or lookup. */
  ipv4: text(parseIpv4, IPV4_RULE, { format: "ipv4" }),
  /** An address that a license is bound to. */
  licenseAddress: text(parseLicenseAddress, describeAddressProblem, { format: "ipv4" }),
  hostname: text(parseHostname, "must be a host name such as web1.example.com", { format: "hostname" }),
  licenseKey: text(parseLicenseKey, "is not a license key: LIC- and four groups of five characters", {
    examples: ["LIC-AN7X6-1SCXJ-P6RB7-C93C7"],
  }),
  licenseId: text(parseLicenseId, "must be a license id such as lic_12 or 12", { examples: ["lic_12"] }),
  operationId: text(parseOperationId, "must be the id of an operation, a UUID", { format: "uuid" }),
  webhookEndpointId: text(parseWebhookEndpointId, "must be the id of a webhook endpoint such as whe_12", {
    examples: ["whe_12"],
  }),
  /** In a path, an invalid id is not found, like an unknown one: it is read as `nothing`, the id of nothing. */
  inPath: <Id>(parse: (text: string) => Id | null, nothing: NoInfer<Id>) =>
    z.string({ error: "must be text" }).transform((text): Id => parse(text) ?? nothing),
  timestamp: text(parseTimestamp, "must be a time in UTC such as 2027-01-31T00:00:00Z", {
    format: "date-time",
  }),
  flag,
  oneOf: <const Values extends readonly string[]>(values: Values) =>
    z.enum(values, { error: `must be one of ${values.join(", ")}` }),
  externalId: limited(EXTERNAL_ID_MAX_LENGTH),
  notes: limited(NOTES_MAX_LENGTH),
  reason: limited(REASON_MAX_LENGTH),
  customerName: customerField("customerName", { maxLength: CUSTOMER_NAME_MAX_LENGTH }),
  customerEmail: customerField("customerEmail", { maxLength: CUSTOMER_EMAIL_MAX_LENGTH }),
  customerReference: customerField("customerReference", { maxLength: CUSTOMER_REFERENCE_MAX_LENGTH }),
  tags,
  /** One, in a filter. */
  tag: text((value) => parseTag(value) || null, `must be a tag of up to ${TAG_MAX_LENGTH} characters`, {
    maxLength: TAG_MAX_LENGTH,
  }),
  limited,
  text,
};

/**
 * Parses parameters by a schema in documented order. Empty values and JSON's null count as absent, as forms and
 * serializers write them; `emptiable` fields accept empty text.
 * @throws DomainError `parameters_invalid` with one problem per field, in that order (contract 3.2)
 */
export function parseParameters<Schema extends z.ZodObject>(
  schema: Schema,
  raw: RawParameters,
  emptiable: readonly string[] = [],
): z.output<Schema> {
  const given = Object.fromEntries(
    Object.entries(raw).filter(([name, value]) => value !== null && (value !== "" || emptiable.includes(name))),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = new Map<string, ParameterProblem>();
  for (const issue of parsed.error.issues) {
    const field = String(issue.path[0] ?? "");
    if (!problems.has(field)) problems.set(field, toProblem(field, issue, given));
  }
  throw invalidParameters([...problems.values()]);
}

function toProblem(field: string, issue: z.core.$ZodIssue, given: RawParameters): ParameterProblem {
  if (given[field] === undefined) return { field, kind: "missing", message: "is required" };
  const { code, message } = issue;
  if (code === "invalid_type") return { field, kind: "wrong_type", message };
  return { field, kind: (code === "custom" && kindOf(issue.params)) || "malformed", message };
}

function kindOf(params: Readonly<Record<string, unknown>> = {}): ParameterProblem["kind"] | null {
  return params.kind === "wrong_type" || params.kind === "out_of_range" ? params.kind : null;
}
