/** Programs, forms and errors name fields in snake_case, code in camelCase. */

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

/** An object with the names of its own fields in camelCase; any other value as it is. */
export type InCamelCase<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Name in keyof Value as CamelCase<Name>]: Value[Name] }
    : Value;

/** Every request and form passes here. Schemas name the fields, so there are few. */
const known = new Map<string, string>();

export function inCamelCase<Value>(value: Value): InCamelCase<Value> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value as InCamelCase<Value>;
  const renamed: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) renamed[camelCase(name)] = field;
  return renamed as InCamelCase<Value>;
}

function camelCase(name: string): string {
  let camel = known.get(name);
  if (camel === undefined) {
    camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    known.set(name, camel);
  }
  return camel;
}
