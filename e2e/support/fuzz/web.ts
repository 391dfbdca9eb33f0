/** Requests to pages, route handlers and server actions. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { isApiTarget } from "#lib/http/reject-request.ts";
import { type BuiltAction, listActions, listTemplates } from "../build.ts";
import type { RightValues } from "../garbage.ts";
import { latin1, MAX_TARGET_LENGTH, mostly, oddName, oddText, oddValue } from "../odd-values.ts";
import type { ActionArguments } from "./learn-actions.ts";
import type { FuzzRequest } from "./request.ts";

const root = join(import.meta.dirname, "..", "..", "..");

/** What React's server gives a meaning to. */
const wireTexts = [
  ..."$undefined $NaN $Infinity $-0 $D2027-01-31T00:00:00.000Z $Dnonsense $n12 $nx $F1 $h1 $Q1 $W1 $K1 $i1 $@1 $1 $$".split(
    " ",
  ),
  ..."$1:constructor:constructor $B1 $R1 $r1 $X1 $x1 $S $T $Z $ $0 $K0 $Q0 $@0 $0:0 $l1 $L1 $O1 $A1 $G1".split(" "),
  `$n${"9".repeat(500)}`,
];
const wireText = fc.constantFrom(...wireTexts);
const spoiled = fc.oneof(oddValue, wireText);

/** The arguments of every server action of the build: `file name` → what each holds. */
export function learnActions(): Readonly<Record<string, ActionArguments>> {
  const script = join(import.meta.dirname, "learn-actions.ts");
  const learned = execFileSync(process.execPath, [script], { cwd: root, env: { ...process.env, NODE_OPTIONS: "" } });
  return JSON.parse(learned.toString());
}

/** Names that pages read from their query. */
function listQueryNames(): string[] {
  const sources = globSync("app/**/*.{ts,tsx}", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
  const names = sources.flatMap((source) => [
    ...source.matchAll(/\bquery\.(\w+)|\btextOf\(\w+\.(\w+)|\bsearchParams\.get\("(\w+)"/g),
  ]);
  return [...new Set(names.map(([, one, two, three]) => one ?? two ?? three ?? ""))];
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly not?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** Right values of a schema, any part of which is now and then something else. */
function fieldOf(name: string, schema: JsonSchema, right: RightValues): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 19, arbitrary: rightFieldOf(name, schema, right) }, { weight: 1, arbitrary: spoiled });
}

function rightFieldOf(name: string, schema: JsonSchema, right: RightValues): fc.Arbitrary<unknown> {
  const { type, properties, items, anyOf, oneOf, allOf } = schema;
  const choices = anyOf ?? oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => fieldOf(name, choice, right)));
  if (allOf) {
    return fc
      .tuple(...allOf.map((part) => rightFieldOf(name, part, right)))
      .map((parts) => Object.assign({}, ...parts));
  }
  if (schema.not) return fc.constant(undefined);
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (type === "null") return fc.constant(null);
  if (type === "boolean") return fc.boolean();
  if (type === "array") return fc.array(fieldOf(name, items ?? {}, right), { maxLength: 4 });
  if (properties) {
    return fc.record(
      Object.fromEntries(Object.entries(properties).map(([field, part]) => [field, fieldOf(field, part, right)])),
    );
  }
  const known = right[snake(name)] ?? right[type === "integer" || type === "number" ? "count" : "text"] ?? [""];
  return fc.constantFrom(...known);
}

function argumentsOf(inputs: ActionArguments, right: RightValues): fc.Arbitrary<unknown[]> {
  const odd = fc.array(spoiled, { maxLength: 4 });
  const values = fc.tuple(...inputs.map(({ name, schema }) => fieldOf(name, schema, right)));
  return fc.tuple(values, mostly(null, odd, 19)).map(([args, instead]) => instead ?? args);
}

const inReply = (value: unknown) =>
  JSON.stringify(value, (_, part) => (part === undefined ? "$undefined" : part)) ?? "[]";

const part = (name: string, text: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;

interface Sent {
  readonly type: string;
  readonly body: string;
}

function replyOf(id: string, args: unknown[]): fc.Arbitrary<Sent> {
  const multipart = (parts: string) => ({ type: "multipart/form-data; boundary=b", body: `${parts}--b--\r\n` });
  const plain = { type: "text/plain;charset=UTF-8", body: inReply(args) };
  return fc.oneof(
    { weight: 16, arbitrary: fc.constant(plain) },
    fc
      .tuple(wireText, oddText)
      .map(([text, other]) => multipart(part("0", inReply([text, ...args])) + part("1", other))),
    fc.constant(multipart(part("0", inReply(args)))),
    fc.tuple(oddName, oddText).map(([name, text]) => multipart(part(`$ACTION_ID_${id}`, "") + part(name, text))),
    oddText.map((text) =>
      multipart(
        part("$ACTION_REF_1", "") + part("$ACTION_1:0", `{"id":"${id}","bound":"$@1"}`) + part("$ACTION_1:1", text),
      ),
    ),
    fc.nat({ max: plain.body.length }).map((length) => ({ ...plain, body: plain.body.slice(0, length) })),
    oddText.map((body) => ({ ...plain, body })),
  );
}

const oddHeaders = fc.array(
  fc.tuple(
    fc.constantFrom(
      ..."rsc next-router-prefetch next-router-state-tree next-router-segment-prefetch next-url next-action".split(" "),
      ..."x-nextjs-data x-middleware-subrequest x-invoke-path x-matched-path x-forwarded-host x-forwarded-for".split(
        " ",
      ),
      ..."x-forwarded-proto accept accept-language accept-encoding cookie range if-none-match if-modified-since".split(
        " ",
      ),
      ..."origin referer user-agent idempotency-key x-http-method-override authorization x-api-key x-signature".split(
        " ",
      ),
      ..."content-type content-encoding x-license-desk-peer x-license-desk-target x-pathname x-nonce purpose".split(
        " ",
      ),
    ),
    fc.oneof(
      fc.constantFrom("1", "", "*/*", "text/x-component", "%5B%22%22%5D", '["",{}]', "::1, 1.2.3.4", "null"),
      latin1,
    ),
  ),
  { minLength: 1, maxLength: 3 },
);

/** Now and then further headers, among them those that are there already. */
export const furtherHeaders = mostly<FuzzRequest["headers"], FuzzRequest["headers"]>([], oddHeaders, 7);

function actionRequest(action: BuiltAction, inputs: ActionArguments, right: RightValues): fc.Arbitrary<FuzzRequest> {
  return fc.tuple(argumentsOf(inputs, right), mostly(action.id, latin1, 40)).chain(([args, id]) =>
    replyOf(action.id, args).map(({ type, body }): FuzzRequest => {
      const isForm = body.includes("$ACTION_");
      const names = isForm ? [] : [["next-action", id] as const, ["accept", "text/x-component"] as const];
      return {
        kind: "action",
        name: action.name,
        method: "POST",
        target: action.page,
        headers: [["content-type", type], ...names],
        body: Buffer.from(body),
      };
    }),
  );
}

function pageRequest(template: string, names: readonly string[], right: RightValues): fc.Arbitrary<FuzzRequest> {
  const ids = (right.id ?? []).concat(Array.from({ length: 30 }, (_, index) => index + 1));
  const segment = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...ids).map(String) }, oddText);
  const filled = [...template.matchAll(/\[[^\]]+\]/g)];
  const value = fc.oneof(oddText, fc.constantFrom(...Object.values(right).flat()).map(String));
  const field = fc.tuple(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, oddName), value);
  return fc
    .record({
      segments: fc.tuple(...filled.map(() => segment)),
      query: fc.array(field, { maxLength: 4 }),
      rest: mostly("", fc.constantFrom("&%", "&=%ff", "&a=1&a=2", "&_rsc=x", "/", "//", "/.", "&nxtPid=1")),
      method: mostly("GET", fc.constantFrom("HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH")),
    })
    .map(({ segments, query, rest, method }) => {
      const path = segments.reduce(
        (address, id, index) => address.replace(filled[index]?.[0] ?? "", () => encodeURIComponent(id.toWellFormed())),
        template,
      );
      const asked = query.map(
        ([name, text]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`,
      );
      const target = rest.startsWith("/") ? path + rest : `${path}?${asked.join("&")}${rest}`;
      return {
        kind: "page",
        name: template,
        method,
        target: target.slice(0, MAX_TARGET_LENGTH),
        headers: [],
        body: null,
      };
    });
}

export function webRequests(right: RightValues): {
  readonly actions: readonly fc.Arbitrary<FuzzRequest>[];
  readonly pages: readonly fc.Arbitrary<FuzzRequest>[];
} {
  const learned = learnActions();
  const names = listQueryNames();
  return {
    actions: listActions().map((action) => actionRequest(action, learned[action.name] ?? [], right)),
    pages: [...listTemplates("page"), ...listTemplates("route")]
      .filter((template) => !isApiTarget(template))
      .map((template) => pageRequest(template, names, right)),
  };
}
