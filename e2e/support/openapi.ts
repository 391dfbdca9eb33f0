import { expect } from "@playwright/test";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { findOperation } from "#lib/http/dispatch-api/interface.ts";
import type { Endpoint, Method, Target } from "#lib/http/endpoint.ts";
import { findPathTarget, pathTargets } from "#lib/http/path-api/interface.ts";
import openapi from "../../public/api/openapi.json" with { type: "json" };
import type { Answer, RawRequest } from "./http.ts";

const NOT_MODIFIED = 304;
const DOCUMENT = "openapi.json";

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(openapi, DOCUMENT);
const validators = new Map<string, ValidateFunction>();

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

/** Where the schema of a response is; null: the status is not documented. */
function schemaPointer(endpoint: Endpoint, status: number): string | null {
  const address = addresses.get(endpoint) ?? `/dispatch/${endpoint.name}`;
  const method = endpoint.method.toLowerCase();
  const operations = openapi.paths as Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>;
  const response = operations[address]?.[method]?.responses[status];
  if (!response) return null;
  const place = response.$ref?.split("/").slice(1) ?? ["paths", address, method, "responses", String(status)];
  return [...place, "content", "application/json", "schema"].map(escapePointer).join("/");
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function validatorAt(pointer: string): ValidateFunction {
  const known = validators.get(pointer) ?? ajv.compile({ $ref: `${DOCUMENT}#/${pointer}` });
  validators.set(pointer, known);
  return known;
}

/** Every response is as public/api/openapi.json describes it, and its status and code are listed there. */
export function expectDocumented(request: RawRequest, answer: Answer): void {
  const endpoint = findEndpoint(request);
  if (!endpoint || request.method === "HEAD") return;
  const where = `${endpoint.name} ${answer.status} ${answer.text.slice(0, 300)}`;
  if (answer.status === NOT_MODIFIED && endpoint.hasEtag) return;
  const pointer = schemaPointer(endpoint, answer.status);
  if (pointer === null) throw new Error(`not documented: ${where}`);
  const validate = validatorAt(pointer);
  expect(validate(answer.body) ? [] : validate.errors, where).toEqual([]);
}
