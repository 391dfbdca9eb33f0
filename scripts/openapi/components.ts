import type { oas31 } from "zod-openapi";

type Schema = oas31.SchemaObject;
type Fields = Record<string, unknown>;

const REF = "#/components/schemas/";
const toRef = (name: string): Schema => ({ $ref: REF + name });

const isObject = (value: unknown): value is Schema & { readonly properties: Fields } =>
  typeof Object(value).properties === "object" && Object(value).type === "object";

/** Rebuilds the document from its leaves; `change` gets each object schema. */
function mapObjects(document: oas31.OpenAPIObject, change: (schema: Schema & { properties: Fields }) => unknown) {
  const mapped = JSON.parse(JSON.stringify(document), (_, value) => (isObject(value) ? change(value) : value));
  return mapped as oas31.OpenAPIObject;
}

/** The schema without the fields of `base`, or null if it lacks one of them. */
export function withoutFields(schema: Schema, base: Schema): Schema | null {
  const properties: Fields = { ...schema.properties };
  for (const [name, field] of Object.entries(base.properties ?? {})) {
    const isSame = JSON.stringify(properties[name]) === JSON.stringify(field);
    if (!isSame || schema.required?.includes(name) !== base.required?.includes(name)) return null;
    delete properties[name];
  }
  const required = schema.required?.filter((name) => name in properties) ?? [];
  return {
    type: "object",
    properties: properties as Schema["properties"],
    ...(required.length > 0 ? { required } : {}),
  };
}

/** The components with all of whose fields the schema begins, and the fields that it adds. */
function partsOf(schema: Schema, components: readonly (readonly [name: string, Schema])[]): Schema[] {
  for (const [name, base] of components) {
    const rest = withoutFields(schema, base);
    if (rest) return [toRef(name), ...partsOf(rest, components)];
  }
  return Object.keys(schema.properties ?? {}).length > 0 ? [schema] : [];
}

/** Makes objects with a title components, and objects that have all fields of a component extensions of it. */
export function nameSchemas(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const named = new Map<string, Schema>();
  const titled = mapObjects(document, ({ title, ...schema }) => {
    if (title === undefined) return schema;
    const known = named.get(title) ?? schema;
    if (JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`There are two schemas ${title}.`);
    named.set(title, schema);
    return toRef(title);
  });
  const components = [...named].toSorted(
    ([, one], [, other]) => Object.keys(other.properties ?? {}).length - Object.keys(one.properties ?? {}).length,
  );
  const extended = mapObjects(titled, (schema) => {
    const parts = partsOf(schema, components);
    return parts.length > 1 ? { allOf: parts } : (parts[0] ?? schema);
  });
  const schemas = { ...extended.components?.schemas, ...Object.fromEntries(named) };
  return { ...extended, components: { ...extended.components, schemas } };
}
