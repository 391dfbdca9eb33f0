import { parse, parsePlPgSQL } from "libpg-query";

/** How PL/pgSQL reads an expression (PostgreSQL's `RawParseMode`); higher ones are assignments. */
const STATEMENT = 0;
const EXPRESSION = 2;

/**
 * The functions that a function in PL/pgSQL calls, without those named with their schema. PostgreSQL looks them up when the
 * call runs; other languages' when it creates the function.
 */
export async function listCalledFunctions(script: string): Promise<ReadonlySet<string>> {
  const called = new Set<string>();
  if (!/\blanguage plpgsql\b/.test(script)) return called;
  for (const { query, parseMode } of valuesOf(await parsePlPgSQL(script), "PLpgSQL_expr") as PlPgSqlExpression[]) {
    const value = parseMode > EXPRESSION ? query.replace(/^[^:=]*:?=/, "") : query;
    const statement = await parse(parseMode === STATEMENT ? value : `select ${value}`);
    for (const { funcname } of valuesOf(statement, "FuncCall") as Call[]) {
      const [{ String: name }, ...rest] = funcname;
      if (rest.length === 0) called.add(name.sval);
    }
  }
  return called;
}

interface PlPgSqlExpression {
  readonly query: string;
  readonly parseMode: number;
}

interface Call {
  readonly funcname: readonly [{ readonly String: { readonly sval: string } }, ...unknown[]];
}

/** The values of a name anywhere in a tree. */
function valuesOf(node: unknown, name: string): unknown[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => [...(key === name ? [value] : []), ...valuesOf(value, name)]);
}
