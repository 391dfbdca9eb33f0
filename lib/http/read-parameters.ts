import { DomainError, invalidParameters } from "#lib/domain/errors.ts";
import { hasNul } from "#lib/domain/text.ts";
import type { ApiInterface, MediaType, RawParameters } from "./endpoint.ts";
import { inspectJson } from "./inspect-json.ts";
import { readBody } from "./read-body.ts";

/** No parameter needs more than two; what walks a value by recursion must not run out of stack. */
const MAX_JSON_DEPTH = 32;

/**
 * Parameters of a GET: the query, less `endpoint`, which chooses the operation.
 * @throws DomainError `parameters_invalid` for a name given twice, a NUL byte, or text that is not valid Unicode.
 */
export function readQueryParameters(url: URL): RawParameters {
  const parameters = collect(url.searchParams);
  delete parameters.endpoint;
  return parameters;
}

/**
 * Parameters of a POST: the body alone (decisions 1.7).
 * @param bodyRead the body, where it was read already
 * @throws DomainError `body_too_large`, `media_type_unsupported`, `body_unreadable`, `parameters_invalid`.
 */
export async function readBodyParameters(
  request: Request,
  api: ApiInterface,
  bodyRead?: Uint8Array<ArrayBuffer>,
): Promise<RawParameters> {
  const contentType = request.headers.get("content-type");
  const body = bodyRead ?? (await readBody(request));
  if (body.byteLength === 0 && contentType === null) return {};
  const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase() as MediaType | undefined;
  if (!mediaType || !api.mediaTypes.includes(mediaType)) {
    throw new DomainError("media_type_unsupported", `Send the parameters as ${api.mediaTypes.join(" or ")}.`);
  }
  switch (mediaType) {
    case "application/json":
      return readJson(decode(body));
    case "application/x-www-form-urlencoded":
      return collect(new URLSearchParams(decode(body)));
    case "multipart/form-data":
      return readMultipart(body, contentType ?? "");
    default:
      return mediaType satisfies never;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new DomainError("body_unreadable", "The body is not valid UTF-8.", { cause });
  }
}

function readJson(text: string): RawParameters {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new DomainError("body_unreadable", "The body is not valid JSON.", { cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new DomainError("body_unreadable", "The body must be a JSON object.");
  }
  const { duplicateKey, depth } = inspectJson(text);
  if (duplicateKey !== null) throw givenTwice(duplicateKey);
  if (depth > MAX_JSON_DEPTH) throw new DomainError("body_unreadable", "The body is nested too deeply.");
  const parameters: Record<string, unknown> = Object.create(null);
  for (const [name, entry] of Object.entries(value)) add(parameters, name, entry);
  return parameters;
}

async function readMultipart(body: Uint8Array<ArrayBuffer>, contentType: string): Promise<RawParameters> {
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

function collect(entries: Iterable<[string, string]>): Record<string, unknown> {
  const parameters: Record<string, unknown> = Object.create(null);
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    if (seen.has(name)) throw givenTwice(name);
    seen.add(name);
    add(parameters, name, value);
  }
  return parameters;
}

/** An empty value is an absent one, as forms send it. */
function add(parameters: Record<string, unknown>, name: string, value: unknown): void {
  if (hasNul(name) || (typeof value === "string" && hasNul(value)))
    throw invalid(name.replaceAll("\0", ""), "has a NUL byte");
  // JSON can escape half of a surrogate pair, which no text in UTF-8 can hold: the database would refuse it.
  if (!name.isWellFormed() || (typeof value === "string" && !value.isWellFormed()))
    throw invalid(name.toWellFormed(), "is not valid Unicode");
  if (value !== "") parameters[name] = value;
}

function givenTwice(field: string): DomainError {
  return invalid(field, "is given twice");
}

function invalid(field: string, message: string): DomainError {
  return invalidParameters([{ field, kind: "unreadable", message }]);
}
