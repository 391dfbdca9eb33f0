/** Programs, forms and errors name fields in snake_case, code in camelCase. */

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

/** An object with the names of its own fields in camelCase; any other value as it is. */
export type InCamelCase<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Name in keyof Value as CamelCase<Name>]: Value[Name] }
    : Value;

export function inCamelCase<Value>(value: Value): InCamelCase<Value> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value as InCamelCase<Value>;
  const fields = Object.entries(value).map(([name, field]) => [camelCase(name), field]);
  return Object.fromEntries(fields) as InCamelCase<Value>;
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
