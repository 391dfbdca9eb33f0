/** Writes src/schema.ts: the types and the table of operations, from the OpenAPI document. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly schema: Schema;
  readonly required?: boolean;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Content>>;
  };
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const JSON_TYPE = "application/json";
/** Prefix of the operations of the dispatch interface, which have one address. */
const VIRTUAL = "/dispatch/";
const IDEMPOTENCY_KEY = "#/components/parameters/IdempotencyKey";
/** The addresses that the operations of the dispatch interface are sent to. */
const ADDRESS = "/";

const schemaOf = (has: Content | undefined): Schema | undefined => has?.content?.[JSON_TYPE]?.schema;
const pascal = (id: string) => id.charAt(0).toUpperCase() + id.slice(1);
const nameOf = (key: string) => (/^\w+$/.test(key) ? key : JSON.stringify(key));

function primitiveOf(type: string): string {
  return type === "integer" ? "number" : type;
}

/** `string | ""` is `string`. */
function unionOf(types: readonly string[]): string {
  const isText = (type: string) => type.startsWith('"');
  return [...new Set(types.includes("string") ? types.filter((type) => !isText(type)) : types)].join(" | ");
}

function typeOf(schema: Schema | undefined, indent: string): string {
  if (!schema) return "unknown";
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.allOf) return schema.allOf.map((one) => typeOf(one, indent)).join(" & ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (schema.anyOf) return unionOf(schema.anyOf.map((one) => typeOf(one, indent)));
  const types = [schema.type ?? []].flat();
  return types.length === 0 ? "unknown" : types.map((type) => typeOfOne(type, schema, indent)).join(" | ");
}

function typeOfOne(type: string, schema: Schema, indent: string): string {
  if (type === "array") return `readonly (${typeOf(schema.items, indent)})[]`;
  if (type !== "object") return primitiveOf(type);
  if (schema.properties) return objectOf(schema, indent);
  const { additionalProperties: values } = schema;
  return `Readonly<Record<string, ${typeof values === "object" ? typeOf(values, indent) : "unknown"}>>`;
}

function objectOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const comment = field.description ? `${inner}/** ${field.description} */\n` : "";
    return `${comment}${inner}readonly ${nameOf(name)}${required.includes(name) ? "" : "?"}: ${typeOf(field, inner)};\n`;
  });
  return fields.length === 0 ? "{}" : `{\n${fields.join("")}${indent}}`;
}

function sentOperations({ paths }: Document): Sent[] {
  return Object.entries(paths)
    .filter(([path]) => path !== ADDRESS)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );
}

/** Parameters of the path, the query and the body in one object. */
function paramsOf({ parameters = [], requestBody }: Operation): Schema {
  const named = parameters.filter(({ $ref }) => $ref === undefined);
  const body = schemaOf(requestBody);
  return {
    properties: {
      ...Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
      ...body?.properties,
    },
    required: [...named.filter(({ required }) => required).map(({ name }) => name), ...(body?.required ?? [])],
  };
}

function answerOf({ path, operation }: Sent, status: string): Schema | undefined {
  const schema = schemaOf(operation.responses[status]);
  return path.startsWith(VIRTUAL) ? schema?.properties?.data : schema;
}

/** Whether the outcome can be open (contract 3.11): 202 besides 200. */
const canBePending = ({ operation: { responses } }: Sent) => "200" in responses && "202" in responses;

function typesOf(sent: Sent): string {
  const { operation } = sent;
  const name = pascal(operation.operationId);
  const success = Object.keys(operation.responses).find((status) => status.startsWith("2")) ?? "";
  return [
    `/** ${operation.summary}. */\nexport type ${name}Params = ${objectOf(paramsOf(operation), "")};\n`,
    `export type ${name}Result = ${typeOf(answerOf(sent, success), "")};\n`,
    ...(canBePending(sent) ? [`export type ${name}Pending = ${typeOf(answerOf(sent, "202"), "")};\n`] : []),
  ].join("\n");
}

function tableRow(sent: Sent): string {
  const { method, path, operation } = sent;
  const takesKey = operation.parameters?.some(({ $ref }) => $ref === IDEMPOTENCY_KEY) ?? false;
  const flags = `takesKey: ${takesKey}, canBePending: ${canBePending(sent)}`;
  return `  ${operation.operationId}: { method: "${method}", path: "${path}", ${flags} },\n`;
}

function entry(sent: Sent): string {
  const name = pascal(sent.operation.operationId);
  const pending = canBePending(sent) ? `${name}Pending` : "never";
  return `  ${sent.operation.operationId}: { params: ${name}Params; result: ${name}Result; pending: ${pending} };\n`;
}

function errorCodes({ paths, components }: Document): string[] {
  const codes = new Set<string>();
  const own = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, response]) => (status.startsWith("2") ? [] : [response])),
    );
  for (const response of [...own, ...Object.values(components.responses)]) {
    for (const code of schemaOf(response)?.properties?.code?.enum ?? []) codes.add(String(code));
  }
  return [...codes].toSorted();
}

function eventOf([kind, { post }]: [string, { readonly post: Operation }]): string {
  return `  ${JSON.stringify(kind)}: ${typeOf(schemaOf(post.requestBody)?.properties?.data, "  ")};\n`;
}

function toTypeScript(document: Document): string {
  const sent = sentOperations(document);
  return [
    "// Generated by `npm run generate` from the OpenAPI document.\n",
    ...Object.entries(document.components.schemas)
      .filter(([name]) => !name.endsWith("Error"))
      .map(([name, schema]) => `export type ${name} = ${typeOf(schema, "")};\n`),
    ...sent.map(typesOf),
    `export interface Operations {\n${sent.map(entry).join("")}}\n`,
    `export const operations = {\n${sent.map(tableRow).join("")}} as const;\n`,
    `/** Error codes of both interfaces. */\nexport type ApiErrorCode =\n${errorCodes(document)
      .map((code) => `  | "${code}"`)
      .join("\n")};\n`,
    `/** Kind of event → its data. */\nexport interface Events {\n${Object.entries(document.webhooks).map(eventOf).join("")}}\n`,
  ].join("\n");
}

const document = join(import.meta.dirname, "..", "..", "public", "api", "openapi.json");
const types = toTypeScript(JSON.parse(readFileSync(document, "utf8")));
writeFileSync(join(import.meta.dirname, "src", "schema.ts"), types);
