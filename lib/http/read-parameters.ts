import { DomainError, invalidParameters } from "#lib/domain/errors.ts";
import { hasNul } from "#lib/domain/text.ts";
import type { ApiInterface, MediaType, RawParameters } from "./endpoint.ts";
import { inspectJson, type JsonFacts } from "./inspect-json.ts";
import { JsonNumber } from "./json-number.ts";
import type { KeyRequest } from "./key-request.ts";
import { quote } from "./quote.ts";
import { isEncoded } from "./read-body.ts";

type KeyedBody = Pick<KeyRequest, "headers" | "readBody">;

/** No parameter needs more than two levels; recursive readers must not exhaust the stack. */
const MAX_JSON_DEPTH = 32;

/**
 * Parameters of a GET: the query without the parameter that names the operation.
 * @throws DomainError `parameters_invalid` for a duplicate name, a NUL byte, or invalid Unicode
 */
export function readQueryParameters(url: URL, api: ApiInterface): RawParameters {
  requireUtf8(url.search.slice(1));
  const parameters = collect(url.searchParams);
  if (api.operationParameter !== null) delete parameters[api.operationParameter];
  return parameters;
}

/**
 * Parameters of a POST: the body only (contract 1.7).
 * @throws DomainError `body_too_large`, `media_type_unsupported`, `body_unreadable`, `parameters_invalid`
 */
export async function readBodyParameters(body: KeyedBody, api: ApiInterface): Promise<RawParameters> {
  const { bytes, contentType, mediaType } = await readTypedBody(body, api.mediaTypes);
  switch (mediaType) {
    case null:
      return {};
    case "application/json":
      return toJsonParameters(parseJson(bytes));
    case "application/x-www-form-urlencoded":
      return readForm(decode(bytes));
    case "multipart/form-data":
      return readMultipart(bytes, contentType ?? "");
    default:
      return mediaType satisfies never;
  }
}

/**
 * The JSON object of a body, within the limits of parameters (contract 1.7).
 * @throws DomainError as `readBodyParameters`
 */
export async function readJsonObject(body: KeyedBody): Promise<JsonObject> {
  const { bytes } = await readTypedBody(body, ["application/json"]);
  return parseJson(bytes).value;
}

interface TypedBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string | null;
  /** Null without a body. */
  readonly mediaType: MediaType | null;
}

async function readTypedBody({ headers, readBody }: KeyedBody, mediaTypes: readonly MediaType[]): Promise<TypedBody> {
  const contentType = headers.get("content-type");
  if (isEncoded(headers.get("content-encoding"))) {
    throw new DomainError("media_type_unsupported", "Send the body without a content encoding.");
  }
  const bytes = await readBody();
  if (bytes.byteLength === 0 && contentType === null) return { bytes, contentType, mediaType: null };
  const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase() as MediaType | undefined;
  if (mediaType && mediaTypes.includes(mediaType)) return { bytes, contentType, mediaType };
  const sent =
    contentType === null ? "The header Content-Type is missing" : `Content-Type ${quote(contentType)} is not supported`;
  throw new DomainError("media_type_unsupported", `${sent}. Send ${mediaTypes.join(" or ")}.`);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new DomainError("body_unreadable", "The body is not valid UTF-8.", { cause });
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

function parseJson(body: Uint8Array): JsonFacts & { readonly value: JsonObject } {
  const text = decode(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new DomainError("body_unreadable", "The body is not valid JSON.", { cause });
  }
  if (!isJsonObject(value)) throw new DomainError("body_unreadable", "The body must be a JSON object.");
  const facts = inspectJson(text);
  if (facts.duplicateKey !== null) throw duplicateParameter(facts.duplicateKey);
  if (facts.depth > MAX_JSON_DEPTH) throw new DomainError("body_unreadable", "The body is nested too deeply.");
  return { ...facts, value };
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toJsonParameters({ value, numbers }: ReturnType<typeof parseJson>): RawParameters {
  return collect(
    Object.entries(value).map(([name, entry]) => {
      const literal = numbers.get(name);
      return [name, literal === undefined ? entry : new JsonNumber(literal)];
    }),
  );
}

function readForm(text: string): RawParameters {
  requireUtf8(text);
  return collect(new URLSearchParams(text));
}

/** `URLSearchParams` replaces percent-encoded invalid UTF-8 with U+FFFD. */
function requireUtf8(encoded: string): void {
  if (!encoded.includes("%")) return;
  for (const pair of encoded.split("&")) {
    if (decodePercent(pair) === null)
      throw invalid(decodePercent(pair.split("=", 1)[0] ?? "") ?? "", "is not valid UTF-8");
  }
}

/** Null for invalid UTF-8. A `%` without two hex digits is literal, as in `URLSearchParams`. */
function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, "%25"));
  } catch {
    return null;
  }
}

async function readMultipart(body: Uint8Array<ArrayBuffer>, contentType: string): Promise<RawParameters> {
  // Form parsing would replace invalid UTF-8 with U+FFFD.
  decode(body);
  let form: FormData;
  try {
    form = await new Response(body, { headers: { "content-type": contentType } }).formData();
  } catch (cause) {
    throw new DomainError("body_unreadable", "The body is not a valid multipart form.", { cause });
  }
  for (const [name, entry] of form) {
    if (typeof entry !== "string") throw invalid(name, "is a file: send fields only");
  }
  return collect(form as unknown as Iterable<[string, string]>);
}

/** @throws DomainError `parameters_invalid` for a duplicate name, a NUL byte, or invalid Unicode */
export function collect(entries: Iterable<[name: string, value: unknown]>): Record<string, unknown> {
  const parameters: Record<string, unknown> = Object.create(null);
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    if (seen.has(name)) throw duplicateParameter(name);
    seen.add(name);
    add(parameters, name, value);
  }
  return parameters;
}

function add(parameters: Record<string, unknown>, name: string, value: unknown): void {
  if (hasNul(name) || (typeof value === "string" && hasNul(value)))
    throw invalid(name.replaceAll("\0", ""), "contains a NUL byte");
  // JSON can escape a lone surrogate, which UTF-8 cannot represent: the database would fail.
  if (!name.isWellFormed() || (typeof value === "string" && !value.isWellFormed()))
    throw invalid(name.toWellFormed(), "is not valid Unicode");
  parameters[name] = value;
}

function duplicateParameter(field: string): DomainError {
  return invalid(field, "is given more than once");
}

function invalid(field: string, message: string): DomainError {
  return invalidParameters([{ field, kind: "unreadable", message }]);
}
