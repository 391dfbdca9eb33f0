import { test } from "@playwright/test";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { findOperation } from "#lib/http/dispatch-api/interface.ts";
import type { Endpoint, Method, Target } from "#lib/http/endpoint.ts";
import { findPathTarget, pathTargets } from "#lib/http/path-api/interface.ts";
import openapi from "../../public/api/openapi.json" with { type: "json" };
import type { Answer, RawRequest } from "./http.ts";

const NOT_MODIFIED = 304;
const FIRST_ERROR = 400;
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const DOCUMENT = "openapi.json";

/** For a test of requests that the API accepts and the document leaves out, such as numbers as text or null. */
export const undocumented = { tag: "@undocumented" };

interface Parameter {
  readonly $ref?: string;
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly headers?: object }>>;
}

/** Paths of the document, by endpoint. */
const addresses = new Map<Endpoint, string>(
  Object.entries(pathTargets).flatMap(([address, byMethod]) =>
    Object.values(byMethod).map((endpoint): [Endpoint, string] => [endpoint, address]),
  ),
);

function findEndpoint({ method, target }: RawRequest): Endpoint | null {
  const url = new URL(target, "http://api.test");
  const [, path] = /^\/api\/v1(\/.*|$)/.exec(url.pathname) ?? [];
  if (path === undefined) return null;
  const found: Target = path === "" || path === "/" ? findOperation(url) : findPathTarget(path);
  return found?.endpoints[(method === "HEAD" ? "GET" : method) as Method] ?? null;
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}

/** Everything in it is text, as in a query, a form and headers. */
function fieldsOf(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  return Object.fromEntries(entries);
}

/** Compares requests and responses with an OpenAPI document. */
export function createDocumentCheck(document: { readonly paths: object; readonly components: object }) {
  const read = new Ajv2020({ strict: false, allErrors: true });
  const readText = new Ajv2020({ strict: false, allErrors: true, coerceTypes: true });
  for (const ajv of [read, readText]) {
    addFormats.default(ajv);
    ajv.addSchema(document, DOCUMENT);
  }
  const validators = { json: new Map<string, ValidateFunction>(), text: new Map<string, ValidateFunction>() };

  /** What the schema at a place in the document rejects in a value. */
  function reject(kind: "json" | "text", place: readonly string[], value: unknown, name: string): string[] {
    const pointer = place.map(escapePointer).join("/");
    const validate =
      validators[kind].get(pointer) ??
      (kind === "json" ? read : readText).compile({
        type: "object",
        properties: { value: { $ref: `${DOCUMENT}#/${pointer}` } },
      });
    validators[kind].set(pointer, validate);
    if (validate({ value })) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) =>
      `${name}${instancePath.slice("/value".length)} ${message}`.replaceAll("/", "."),
    );
  }

  const resolve = (place: readonly string[], $ref?: string) => $ref?.split("/").slice(1) ?? place;
  const valueAt = (place: readonly string[]) =>
    place.reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], document);

  function findRequestViolations(place: readonly string[], { target, headers = {}, body }: RawRequest): string[] {
    const { parameters = [], requestBody } = valueAt(place) as Operation;
    const sent = {
      query: fieldsOf(new URL(target, "http://api.test").searchParams),
      header: fieldsOf(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    };
    const inParameters = parameters.flatMap((listed, index) => {
      const found = resolve([...place, "parameters", String(index)], listed.$ref);
      const { in: where, name, required } = valueAt(found) as Parameter;
      if (where !== "query" && where !== "header") return [];
      const value = sent[where][where === "header" ? name.toLowerCase() : name];
      if (value !== undefined) return reject("text", [...found, "schema"], value, `request.${where}.${name}`);
      return required ? [`request.${where}.${name} is missing`] : [];
    });
    if (requestBody === undefined || typeof body !== "string" || body === "") {
      return requestBody?.required && !body ? [...inParameters, "request.body is missing"] : inParameters;
    }
    const [type = ""] = String(sent.header["content-type"]).split(";");
    if (requestBody.content[type] === undefined) return [...inParameters, `request.body is ${type}`];
    const [kind, value] =
      type === FORM_TYPE
        ? (["text", fieldsOf(new URLSearchParams(body))] as const)
        : (["json", JSON.parse(body)] as const);
    const schema = [...place, "requestBody", "content", type, "schema"];
    return [...inParameters, ...reject(kind, schema, value, "request.body")];
  }

  function findResponseViolations(place: readonly string[], { status, headers, body }: Answer): string[] {
    const listed = (valueAt(place) as Operation | undefined)?.responses[status];
    if (listed === undefined) return [`response.status ${status} is not documented`];
    const response = resolve([...place, "responses", String(status)], listed.$ref);
    const documented = (valueAt(response) as { headers?: Record<string, { $ref?: string }> }).headers ?? {};
    const inHeaders = Object.entries(documented).flatMap(([name, { $ref }]) => {
      const value = headers[name.toLowerCase()];
      const header = resolve([...response, "headers", name], $ref);
      return value === undefined ? [] : reject("text", [...header, "schema"], value, `response.header.${name}`);
    });
    const schema = [...response, "content", JSON_TYPE, "schema"];
    return [...inHeaders, ...reject("json", schema, body, "response.body")];
  }

  /** The request of an error may be anything. */
  return (request: RawRequest, answer: Answer): string[] => {
    const endpoint = findEndpoint(request);
    if (!endpoint || request.method === "HEAD") return [];
    if (answer.status === NOT_MODIFIED && endpoint.hasEtag) return [];
    const address = addresses.get(endpoint) ?? `/dispatch/${endpoint.name}`;
    const place = ["paths", address, endpoint.method.toLowerCase()];
    const isAccepted = answer.status < FIRST_ERROR && !test.info().tags.includes(undocumented.tag);
    return [...(isAccepted ? findRequestViolations(place, request) : []), ...findResponseViolations(place, answer)];
  };
}

/** How a response, or a request that was accepted, differs from public/api/openapi.json. */
export const findViolations = createDocumentCheck(openapi);
