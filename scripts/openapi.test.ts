import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { operations } from "#lib/http/dispatch-api/interface.ts";
import { pathTargets } from "#lib/http/path-api/interface.ts";
import { codesIn, readSections, rowsOf } from "#tests/support/contract-documents.ts";
import { differences, fieldsOf } from "#tests/support/contract-fields.ts";
import { nameSchemas } from "./openapi/components.ts";
import { buildDocument } from "./openapi/document.ts";
import { errorSchemas } from "./openapi/interfaces.ts";

const client = join(import.meta.dirname, "..", "clients", "typescript", "src", "schema.ts");
const file = join(import.meta.dirname, "..", "public", "api", "openapi.json");
const document = buildDocument();
const published = nameSchemas(document);

test("the published document is the one that `npm run openapi` makes of the endpoints and the contract", () => {
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(published);
});

test("named schemas say what they stand for: written out again, the published document is the one they were named in", () => {
  const { schemas = {} } = published.components ?? {};
  const writeOut = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(writeOut);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, allOf, ...schema } = value as { $ref?: string; allOf?: object[] };
    const name = $ref?.split("#/components/schemas/")[1] ?? "";
    if (name in schemas && !(name in errorSchemas)) return writeOut(schemas[name]);
    const fields = Object.entries({ ...schema, ...($ref && { $ref }) }).filter(
      ([key, text]) => key !== "title" || typeof text !== "string",
    );
    const written = Object.fromEntries(fields.map(([key, part]) => [key, writeOut(part)]));
    if (!allOf || "properties" in written) return { ...written, ...(allOf && { allOf }) };
    const parts = allOf.map(writeOut) as { properties: object; required?: string[] }[];
    const properties = Object.assign({}, ...parts.map((part) => part.properties));
    return { type: "object", properties, required: parts.flatMap(({ required = [] }) => required) };
  };
  const sorted = (paths: unknown) =>
    JSON.parse(JSON.stringify(writeOut(paths)), (key, value) =>
      key === "required" && Array.isArray(value) ? value.toSorted() : value,
    );
  expect(Object.keys(schemas).length).toBeGreaterThan(10);
  expect(sorted(published.paths)).toEqual(sorted(document.paths));
  expect(sorted(published.webhooks)).toEqual(sorted(document.webhooks));
});

test("the TypeScript client names every error code of the contract", () => {
  const errors = (["path-interface", "dispatch-interface"] as const)
    .flatMap(readSections)
    .flatMap((section) => rowsOf(section, "Status").flatMap(({ Code }) => codesIn(Code)));
  const [, named = ""] = /export type ApiErrorCode =(.*?);/s.exec(readFileSync(client, "utf8")) ?? [];
  expect(errors).toContain("UNKNOWN_ENDPOINT");
  expect([...named.matchAll(/"(\w+)"/g)].map(([, code]) => code)).toEqual([...new Set(errors)].toSorted());
});

test("it is valid OpenAPI 3.1 by the recommended rules of redocly, without a warning", { timeout: 60_000 }, () => {
  const redocly = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
  const { stdout, stderr } = spawnSync(process.execPath, [redocly, "lint", "--format=json", file], {
    encoding: "utf8",
    env: { ...process.env, REDOCLY_TELEMETRY: "off", CI: "true" },
  });
  expect(JSON.parse(stdout || stderr)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
});

test("it has every operation of both interfaces", () => {
  const described = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const declared = [
    ...Object.entries(pathTargets).flatMap(([path, byMethod]) =>
      Object.keys(byMethod).map((method) => `${method} ${path}`),
    ),
    ...operations.map(({ method, name }) => `${method} /dispatch/${name}`),
    "GET /",
    "POST /",
  ];
  expect(described.toSorted()).toEqual(declared.toSorted());
});

test("errors to be retried have Retry-After, and 405 has Allow (contract 1.4, 1.5)", () => {
  const responsesOf = (item: object) => Object.values(item).flatMap(({ responses }) => Object.entries(responses));
  const own = Object.values(document.paths ?? {}).flatMap((item) => responsesOf(item as object));
  const shared = Object.entries(document.components?.responses ?? {});
  const wanted = { Allow: /Error405$/, "Retry-After": /Error(?:429|503)$|"(?:OPERATION|IDEMPOTENCY)_IN_PROGRESS"/ };
  const missing = [...own, ...shared].flatMap(([name, response]) => {
    const { headers = {}, content } = response as { headers?: object; content?: object };
    const facts = `${JSON.stringify(content)} Error${name.slice(-3)}`;
    const absent = Object.entries(wanted).filter(([header, pattern]) => pattern.test(facts) && !(header in headers));
    return content ? absent.map(([header]) => `${name}: ${header}`) : [];
  });
  expect(own.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
}

/** A value of a schema, with every field. */
function exampleOf(schema: Schema): unknown {
  const [first] = schema.anyOf ?? [];
  if (first) return exampleOf(first);
  const [type] = [schema.type].flat();
  if (type === "object") {
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, exampleOf(field)]));
  }
  if (type === "array") return [exampleOf(schema.items ?? {})];
  if (type === "integer") return 1;
  if (type === "number") return 1.5;
  return type === "boolean" ? true : type === "null" ? null : "text";
}

const pages = (["path-interface", "dispatch-interface"] as const).map((page) => ({
  page,
  sections: readSections(page),
}));
const answers = pages.flatMap(({ page, sections }) =>
  sections
    .filter(({ level, title }) => level === 3 && title !== "Errors")
    .map((section) => {
      const [method = "", path = ""] =
        page === "path-interface" ? section.title.split(" ") : ["", `/dispatch/${section.title}`];
      return { title: section.title, section, sections, path, method, page };
    }),
);

/** Fields of a schema without a description, such as `licenses[].id`. */
function undescribed({ anyOf = [], properties = {}, items }: Schema, path = ""): string[] {
  return [
    ...anyOf.flatMap((choice) => undescribed(choice, path)),
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(field.description === undefined ? [path + name] : []),
      ...undescribed(field, `${path}${name}.`),
    ]),
    ...(items ? undescribed(items, `${path.slice(0, -1)}[].`) : []),
  ];
}

/** Of successes, without the envelope. */
function bodiesOf({ page, path, method }: (typeof answers)[number]): Schema[] {
  const item = (document.paths?.[path] ?? {}) as Record<
    string,
    { responses: Record<string, { content: Record<string, { schema: Schema }> }> }
  >;
  const { responses = {} } = (page === "path-interface" ? item[method.toLowerCase()] : Object.values(item)[0]) ?? {};
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return successes.map(([, { content }]) => {
    const schema = content["application/json"]?.schema;
    return (page === "path-interface" ? schema : schema?.properties?.data) ?? expect.unreachable(path);
  });
}

test.each(answers)("the response of $title has the fields that the contract documents", (answer) => {
  const [schema = {}] = bodiesOf(answer);
  const found = differences([exampleOf(schema)], fieldsOf(answer.section, answer.sections));
  // An example has one type of each field; that all are seen is for real answers to show.
  expect(found.filter((difference) => /not documented|is absent/.test(difference))).toEqual([]);
});

test.each(answers)("the responses of $title have the meaning of every field", (answer) => {
  expect(bodiesOf(answer).flatMap((schema) => undescribed(schema))).toEqual([]);
});

test("what a dry run answers is not said to be charged", () => {
  const priced = answers
    .flatMap(bodiesOf)
    .flatMap(({ anyOf = [] }) => anyOf.filter(({ properties = {} }) => "dry_run" in properties));
  expect(priced.length).toBeGreaterThan(3);
  for (const { properties = {} } of priced) {
    expect(properties.price?.description).toMatch(/^What it would charge now/);
    expect(properties.balance_after?.description).toBe("Available balance as it would be.");
  }
});
