/** Fields of responses: documented and actual. */
import { expect } from "vitest";
import { codesIn, rowsOf, type Section } from "./contract-documents.ts";

export interface Field {
  readonly types: readonly string[];
  readonly isOptional: boolean;
}

/** `licenses[].id` → its types. Sections that say "as in" another one include its fields. */
export function fieldsOf(section: Section, sections: readonly Section[]): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const { Field: cell, Type = "", Meaning = "" } of rowsOf(section, "Field")) {
    const name = codesIn(cell)[0] ?? "";
    const [, other] = /\[([^\]]+)\]\(#/.exec(Meaning.startsWith("As in [") ? Meaning : "") ?? [];
    if (other !== undefined) {
      const shared = sections.find(({ title }) => title === other) ?? expect.unreachable(other);
      for (const [key, field] of fieldsOf(shared, sections)) fields.set(name === "" ? key : `${name}.${key}`, field);
      continue;
    }
    const [types = "", ...marks] = Type.split(", ");
    fields.set(name, { types: types.split(" or "), isOptional: marks.includes("optional") });
  }
  return fields;
}

/** Path → types of every value in a body. The `data` of an event depends on its kind (events.md). */
function seenIn(value: unknown, path = "", seen = new Map<string, Set<string>>()): Map<string, Set<string>> {
  const note = (type: string) => path && seen.set(path, (seen.get(path) ?? new Set()).add(type));
  if (Array.isArray(value)) {
    note("array");
    for (const item of value) if (typeof item === "object") seenIn(item, `${path}[]`, seen);
  } else if (typeof value === "object" && value !== null) {
    if (!path.endsWith("[]")) note("object");
    if (/(?:^|\.)data$/.test(path)) return seen;
    for (const [name, field] of Object.entries(value)) seenIn(field, path === "" ? name : `${path}.${name}`, seen);
  } else {
    note(value === null ? "null" : Number.isInteger(value) ? "integer" : typeof value);
  }
  return seen;
}

/** Undocumented, deviating and missing fields of a body. */
export function differences(bodies: readonly unknown[], fields: ReadonlyMap<string, Field>): string[] {
  const found = new Set<string>();
  const all = new Set<string>();
  for (const body of bodies) {
    const seen = seenIn(body);
    for (const [path, types] of seen) {
      all.add(path);
      const field = fields.get(path);
      if (!field) found.add(`${path} is not documented`);
      for (const type of types) {
        if (field && !field.types.includes(type) && !(type === "integer" && field.types.includes("number")))
          found.add(`${path} is ${type}`);
      }
    }
    for (const [path, { isOptional }] of fields) {
      if (!(isOptional || path.includes("[]") || seen.has(path))) found.add(`${path} is absent`);
    }
  }
  for (const [path, { isOptional }] of fields) if (!(isOptional || all.has(path))) found.add(`${path} is never there`);
  return [...found];
}
