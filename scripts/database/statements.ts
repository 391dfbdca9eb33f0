import pg from "pg";
import type { CatalogObject } from "./catalog.ts";
import type { DatabaseSources } from "./sources.ts";

/** Quotes only when needed, like the sources. */
function identifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : pg.escapeIdentifier(name);
}

export function tableOf({ name }: CatalogObject): string {
  return name.slice(0, name.indexOf("."));
}

function ownName({ name }: CatalogObject): string {
  return name.slice(name.indexOf(".") + 1);
}

/** Null for what prisma/schema creates: a table, an enum, or the rows of a table. */
export function createStatement(object: CatalogObject, sources: DatabaseSources): string | null {
  const table = identifier(tableOf(object));
  const name = identifier(ownName(object));
  switch (object.kind) {
    case "extension":
      return `create extension if not exists ${identifier(object.name)};`;
    case "function":
      return sources.functions.get(object.name)?.trim() ?? null;
    case "column":
      return `alter table ${table} add column ${name} ${object.definition};`;
    case "constraint":
      return `alter table ${table} add constraint ${name} ${object.definition};`;
    case "index":
    case "trigger":
      return `${object.definition};`;
    case "enum":
    case "table":
    case "rows of":
      return null;
    default:
      throw object.kind satisfies never;
  }
}

export function dropStatement(object: CatalogObject): string | null {
  const table = identifier(tableOf(object));
  const name = identifier(ownName(object));
  switch (object.kind) {
    case "extension":
      return `drop extension ${identifier(object.name)};`;
    case "function":
      return `drop function ${identifier(object.name)};`;
    case "column":
      return `alter table ${table} drop column ${name};`;
    case "constraint":
      return `alter table ${table} drop constraint ${name};`;
    case "index":
      return `drop index ${name};`;
    case "trigger":
      return `drop trigger ${name} on ${table};`;
    case "enum":
    case "table":
    case "rows of":
      return null;
    default:
      throw object.kind satisfies never;
  }
}

export function validateStatement(constraint: CatalogObject): string {
  return `alter table ${identifier(tableOf(constraint))} validate constraint ${identifier(ownName(constraint))};`;
}
