import fc from "fast-check";
import type { Currency } from "#lib/domain/money.ts";
import { operations } from "#lib/http/dispatch-api/interface.ts";
import type { Endpoint } from "#lib/http/endpoint.ts";
import { pathTargets } from "#lib/http/path-api/interface.ts";
import { tools } from "#lib/mcp/tools.ts";
import type { RawRequest } from "./http.ts";
import { deep, latin1, MAX_TARGET_LENGTH, mostly, oddName, oddText, oddValue } from "./odd-values.ts";

/** Right values of parameters by name: a request of these alone succeeds, more often than not. */
export type RightValues = Readonly<Record<string, readonly (string | number | boolean | readonly string[])[]>>;

export interface GarbageRequest extends RawRequest {
  readonly key: "own" | "none" | "wrong";
}

export const apis = ["path", "dispatch", "mcp"] as const;
type Api = (typeof apis)[number];

interface Operation {
  readonly method: string;
  /** `{id}` stands for a value of `id`. */
  readonly target: string;
  readonly parameters: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The body around the parameters; default: they are the body. */
  readonly envelope?: (parameters: string) => string;
}

/** What an operation takes beside what its path names. */
function parametersOf(endpoint: Endpoint): readonly string[] {
  return Object.keys(endpoint.schemaFor("USD" as Currency).shape).filter((name) => name !== "id");
}

const dispatchOperations: readonly Operation[] = operations.map((endpoint) => ({
  method: endpoint.method,
  target: `/api/v1/?endpoint=${endpoint.name}`,
  parameters: parametersOf(endpoint),
}));

const pathOperations: readonly Operation[] = Object.entries(pathTargets).flatMap(([path, endpoints]) =>
  Object.values(endpoints).map((endpoint) => ({
    method: endpoint.method,
    target: `/api/v1${path}`,
    parameters: parametersOf(endpoint),
  })),
);

const MODERN = "2026-07-28";
const modernMeta = JSON.stringify({
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
});
const message = (method: string, params: string) =>
  `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`;

const mcpOperations: readonly Operation[] = [
  ...tools.flatMap(({ name, endpoint }): Operation[] => {
    const tool = { method: "POST", target: "/mcp", parameters: parametersOf(endpoint) };
    const call = (meta: string) => (args: string) =>
      message("tools/call", `{"name":${JSON.stringify(name)},"arguments":${args}${meta}}`);
    const headers = { "mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": name };
    return [
      { ...tool, envelope: call("") },
      { ...tool, headers, envelope: call(`,"_meta":${modernMeta}`) },
    ];
  }),
  ...["initialize", "tools/list", "server/discover", "subscriptions/listen", "ping", "notifications/cancelled"].map(
    (method): Operation => ({
      method: "POST",
      target: "/mcp",
      parameters: ["cursor", "protocolVersion", "capabilities", "clientInfo", "_meta", "notifications"],
      headers: { "mcp-protocol-version": MODERN, "mcp-method": method },
      envelope: (params) => message(method, params),
    }),
  ),
];

const operationsOf = { path: pathOperations, dispatch: dispatchOperations, mcp: mcpOperations };

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const MULTIPART_TYPE = "multipart/form-data; boundary=b";
const oddType = fc.oneof(
  fc.constantFrom(
    JSON_TYPE,
    FORM_TYPE,
    MULTIPART_TYPE,
    "multipart/form-data",
    "application/json; charset=utf-16",
    "",
    ";",
  ),
  latin1,
);

type Field = readonly [name: string, value: unknown];

/** Every parameter with a right value, then none to three of them dropped, spoiled, doubled, or joined by others. */
function fieldsOf({ parameters }: Operation, right: RightValues): fc.Arbitrary<readonly Field[]> {
  const names = parameters.length > 0 ? fc.constantFrom(...parameters) : oddName;
  const spoiled = fc.oneof(
    fc.record({ name: names, value: fc.constant(undefined) }),
    fc.record({
      name: names,
      value: fc.oneof({ weight: 3, arbitrary: oddValue }, fc.constantFrom(...Object.values(right).flat())),
    }),
    fc.record({ name: oddName, value: oddValue }),
  );
  return fc
    .tuple(
      fc.tuple(
        ...parameters.map((name) => fc.constantFrom(...(right[name] ?? [""])).map((value): Field => [name, value])),
      ),
      mostly([], fc.array(spoiled, { minLength: 1, maxLength: 3 }), 1),
      fc.boolean(),
    )
    .map(([fields, changes, twice]) => {
      const kept = fields.filter(([name]) => twice || !changes.some((change) => change.name === name));
      return [
        ...kept,
        ...changes.filter(({ value }) => value !== undefined).map(({ name, value }): Field => [name, value]),
      ];
    });
}

const asText = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
const asForm = (fields: readonly Field[]) =>
  new URLSearchParams(fields.map(([name, value]) => [name.toWellFormed(), asText(value).toWellFormed()])).toString();
/** By hand: an object would lose a name that stands twice. */
const asJson = (fields: readonly Field[]) =>
  `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? null}`).join(",")}}`;
const asMultipart = (fields: readonly Field[]) =>
  `${fields.map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${asText(value)}\r\n`).join("")}--b--\r\n`;

function bodyOf(
  api: Api,
  { envelope = (parameters) => parameters }: Operation,
  fields: readonly Field[],
): fc.Arbitrary<{ readonly type: string | null; readonly body: string | Uint8Array }> {
  const json = envelope(asJson(fields));
  const inJson = { type: JSON_TYPE, body: json };
  const fitting = fc.constantFrom(
    inJson,
    { type: FORM_TYPE, body: asForm(fields) },
    { type: MULTIPART_TYPE, body: asMultipart(fields) },
  );
  return fc.oneof(
    { weight: 24, arbitrary: api === "dispatch" ? fitting : fc.constant(inJson) },
    fitting,
    deep.map((value) => ({
      type: JSON_TYPE,
      body: `${json.slice(0, -1)}${json === "{}" ? "" : ","}"deep":${value}}`,
    })),
    fc.nat({ max: json.length }).map((length) => ({ type: JSON_TYPE, body: json.slice(0, length) })),
    fc.record({
      type: fc.option(oddType),
      body: fc.oneof(fc.constantFrom(json, asForm(fields)), fc.uint8Array({ maxLength: 100 })),
    }),
    fc
      .constantFrom(65_536, 65_537, 200_000)
      .map((size) => ({ type: FORM_TYPE, body: `${asForm(fields)}&x=`.padEnd(size, "x") })),
  );
}

function inPath(target: string, id: string): string {
  const segment = encodeURIComponent(id.toWellFormed());
  return target.replace("{id}", /^\.{0,2}$/.test(segment) ? "x" : segment);
}

function requestTo(api: Api, operation: Operation, right: RightValues): fc.Arbitrary<GarbageRequest> {
  const id = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...(right.id ?? [""])) }, oddText).map(String);
  return fc
    .record({
      fields: fieldsOf(operation, right),
      id,
      method: mostly(operation.method, fc.constantFrom(...methods)),
      key: mostly<"own", "none" | "wrong">("own", fc.constantFrom("none", "wrong")),
      idempotencyKey: mostly(null, fc.oneof(latin1, fc.uuid())),
      query: mostly(null, fc.constantFrom("x=%00", "x=1&x=1", "%", "endpoint=balance", "q=%ff")),
    })
    .chain(({ fields, id, method, key, idempotencyKey, query }) => {
      const path = inPath(operation.target, id);
      const headers = {
        ...operation.headers,
        ...(idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey }),
      };
      const asked = [...(operation.method === "GET" ? [asForm(fields)] : []), ...(query === null ? [] : [query])];
      const separator = path.includes("?") ? "&" : "?";
      const target = asked.length === 0 ? path : `${path}${separator}${asked.join("&")}`.slice(0, MAX_TARGET_LENGTH);
      const request = { method, target, key };
      if (["GET", "HEAD"].includes(method)) return fc.constant({ ...request, headers });
      return bodyOf(api, operation, fields).map(({ type, body }) => ({
        ...request,
        headers: { ...headers, ...(type === null ? {} : { "content-type": type }) },
        body,
      }));
    });
}

/** Requests of every operation of one interface, right, nearly right, and not at all. */
export function garbage(api: Api, right: RightValues): fc.Arbitrary<GarbageRequest> {
  return fc.oneof(...operationsOf[api].map((operation) => requestTo(api, operation, right)));
}
