import type pg from "pg";
import type { z } from "zod";
import type { Database } from "./client.ts";

/** Columns by name (./columns.ts). */
export type RowShape = Readonly<Record<string, z.ZodType>>;

export type RowOf<Shape extends RowShape> = { readonly [Column in keyof Shape]: z.output<Shape[Column]> };

declare const rowType: unique symbol;

/** A text of SQL and the rows that it returns. Only the functions below make one. */
export interface Statement<Row> {
  /** Prepared statements have a name, which belongs to one text. The others are planned for the values of each call. */
  readonly name: string | undefined;
  readonly text: string;
  /** Undefined: nobody reads the rows, though they may be counted. */
  readonly row: RowShape | undefined;
  readonly writesInSafeMode: boolean;
  readonly [rowType]: Row;
}

/** Every statement with a constant text, for the tests. */
export const statements: Statement<unknown>[] = [];

/** For texts that are put together for each call, such as from filters. With a name if there are only a few. */
export const statementOf =
  <Shape extends RowShape>(row?: Shape) =>
  (text: string, options: { readonly name?: string | undefined; readonly writesInSafeMode?: boolean } = {}) =>
    ({
      name: options.name,
      text,
      row,
      writesInSafeMode: options.writesInSafeMode === true,
    }) as Statement<RowOf<Shape>>;

const declare =
  (writesInSafeMode: boolean) =>
  // biome-ignore lint/complexity/noBannedTypes: a row without columns
  <Shape extends RowShape = {}>(name: string, row?: Shape) =>
  (texts: TemplateStringsArray, ...fragments: readonly string[]): Statement<RowOf<Shape>> => {
    const made = statementOf(row)(String.raw({ raw: texts }, ...fragments), { name, writesInSafeMode });
    statements.push(made);
    return made;
  };

/**
 * Declares a statement, outside of functions: statement("find_user", { id: int })`select …`. What is put into the text is
 * SQL, never a value: values are $1, $2 … and come with each query. Tests compare the row with the database.
 */
export const statement = declare(false);
/** One that also runs in safe mode: signing in and reading require it. */
export const safeModeStatement = declare(true);

export function bindValues({ name, text }: Statement<unknown>, values: readonly unknown[]): pg.QueryConfig {
  return { name, text, values: values as unknown[] };
}

/** Compares results with what their statements declare. Set by tests: in production it costs nothing. */
export const resultCheck: { compare?: (statement: Statement<unknown>, result: pg.QueryResult) => void } = {};

export function readRows<Row>(statement: Statement<Row>, result: pg.QueryResult): Row[] {
  resultCheck.compare?.(statement, result);
  return result.rows;
}

/** The first row, or null. */
export async function findRow<Row>(
  db: Pick<Database, "query">,
  statement: Statement<Row>,
  values: readonly unknown[],
): Promise<Row | null> {
  const [row] = await db.query(statement, values);
  return row ?? null;
}

/** The first row, for statements that always return one. */
export async function getRow<Row>(
  db: Pick<Database, "query">,
  statement: Statement<Row>,
  values: readonly unknown[],
): Promise<Row> {
  const row = await findRow(db, statement, values);
  if (row === null) throw new Error(`${statement.name ?? statement.text} returned no row`);
  return row;
}
