/** What the OpenAPI document promises to programs, a line each (docs/versioning.md). */
import type { oas31 } from "zod-openapi";
import { JSON_TYPE } from "./interfaces.ts";

type SchemaObject = oas31.SchemaObject;

/** JSON types, formats and accepted values in a fixed order: `integer`, `string:date-time`, `string(active|paused)`. */
function typeOf(schema: SchemaObject): string {
  const choices = (schema.anyOf ?? schema.oneOf ?? []) as readonly SchemaObject[];
  if (choices.length > 0) return [...new Set(choices.map(typeOf))].toSorted().join("|");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = [schema.type ?? "any"].flat().toSorted().join("|");
  return schema.format === undefined ? types : `${types}:${schema.format}`;
}

/** Fields of an answer: those that are always there, and those that may be. */
function* fieldsOf(schema: SchemaObject, path = ""): Generator<string> {
  for (const choice of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    yield* fieldsOf(choice as SchemaObject, path);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const field = property as SchemaObject;
    const at = path === "" ? name : `${path}.${name}`;
    yield `${schema.required?.includes(name) ? "always" : "maybe"} ${at} ${typeOf(field)}`;
    yield* fieldsOf(field, at);
    if (field.items) yield* fieldsOf(field.items as SchemaObject, `${at}[]`);
  }
}

const jsonOf = (part: { readonly content?: unknown } | undefined): SchemaObject | undefined =>
  (part?.content as Record<string, { readonly schema?: SchemaObject }> | undefined)?.[JSON_TYPE]?.schema;

type Responses = oas31.ComponentsObject["responses"];

function* operationPromises(operation: oas31.OperationObject, shared: Responses): Generator<string> {
  yield "exists";
  for (const parameter of operation.parameters ?? []) {
    if ("$ref" in parameter) yield `takes ${parameter.$ref.split("/").at(-1)}`;
    else yield* parameterPromises(parameter.name, parameter.schema as SchemaObject, parameter.required === true);
  }
  const body = jsonOf(operation.requestBody as { readonly content?: unknown } | undefined);
  for (const [name, schema] of Object.entries(body?.properties ?? {})) {
    yield* parameterPromises(name, schema as SchemaObject, body?.required?.includes(name) ?? false);
  }
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    yield `answers ${status}`;
    const answer = "$ref" in response ? shared?.[response.$ref.split("/").at(-1) ?? ""] : response;
    const schema = jsonOf(answer as oas31.ResponseObject) ?? {};
    if (status.startsWith("2")) for (const field of fieldsOf(schema)) yield `${status} ${field}`;
    else
      for (const code of (schema.properties?.code as SchemaObject | undefined)?.enum ?? [])
        yield `answers ${status} ${code}`;
  }
}

function* parameterPromises(name: string, schema: SchemaObject, isRequired: boolean): Generator<string> {
  yield `takes ${name} ${typeOf(schema)}`;
  for (const value of schema.enum ?? []) yield `takes ${name}=${value}`;
  for (const bound of bounds) if (schema[bound] !== undefined) yield `takes ${name} ${bound} ${schema[bound]}`;
  if (isRequired) yield `requires ${name}`;
}

const bounds = ["minimum", "maximum", "minLength", "maxLength"] as const;
const BOUND = new RegExp(`^(.+) (${bounds.join("|")}) (-?\\d+)$`);

function promisesOf(paths: object, kind: string, list: (operation: oas31.OperationObject) => Iterable<string>) {
  return Object.entries(paths).flatMap(([path, methods]: [string, Record<string, oas31.OperationObject>]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      [...new Set(list(operation))].map((promise) => `${kind}${method.toUpperCase()} ${path} ${promise}`),
    ),
  );
}

function webhookPromises({ requestBody }: oas31.OperationObject): string[] {
  const body = jsonOf(requestBody as { readonly content?: unknown } | undefined);
  return ["exists", ...fieldsOf(body ?? {})];
}

export function listPromises(document: oas31.OpenAPIObject): string[] {
  return [
    ...promisesOf(document.paths ?? {}, "", (operation) =>
      operationPromises(operation, document.components?.responses),
    ),
    ...promisesOf(document.webhooks ?? {}, "webhook ", webhookPromises),
  ];
}

/**
 * What programs written for `released` would miss: promises that are gone, parameters that operations require now, and
 * values that they accept no longer. A field that was optional may become reliable, and a bound wider.
 */
export function findBroken(released: readonly string[], current: readonly string[]): string[] {
  const now = new Set(current);
  const before = new Set(released);
  const goneOperations = released.filter((promise) => promise.endsWith(" exists") && !now.has(promise));
  const isOfGone = (promise: string) =>
    goneOperations.some((gone) => promise !== gone && promise.startsWith(gone.replace(/exists$/, "")));
  const kept = (promise: string) => now.has(promise) || now.has(promise.replace(/ maybe /, " always "));
  const isNewDuty = (promise: string) =>
    / requires \S+$/.test(promise) && !before.has(promise) && before.has(promise.replace(/ requires \S+$/, " exists"));
  const isNarrower = (promise: string) => {
    const [, parameter = "", bound = "", value = ""] = BOUND.exec(promise) ?? [];
    if (parameter === "" || !released.some((other) => other.startsWith(`${parameter} `))) return false;
    const earlier = released.find((other) => other.startsWith(`${parameter} ${bound} `));
    const wider = Number(BOUND.exec(earlier ?? "")?.[3] ?? Number.NaN);
    return bound.startsWith("min") ? !(Number(value) <= wider) : !(Number(value) >= wider);
  };
  return [
    ...released
      .filter(
        (promise) => !/ requires \S+$/.test(promise) && !BOUND.test(promise) && !kept(promise) && !isOfGone(promise),
      )
      .map((promise) => `gone: ${promise}`),
    ...current.filter((promise) => isNewDuty(promise) || isNarrower(promise)).map((promise) => `new: ${promise}`),
  ];
}
