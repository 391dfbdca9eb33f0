import type pg from "pg";
import { z } from "zod";
import { toArrayText } from "./array-text.ts";
import type { Database } from "./client.ts";
import { isConverted } from "./columns.ts";

export type RowShape = Readonly<Record<string, z.ZodType>>;

export type RowOf<Shape extends RowShape> = { readonly [Column in keyof Shape]: z.output<Shape[Column]> };

declare const rowType: unique symbol;

/** SQL and the rows that it returns, made only by the functions below. */
export interface Statement<Row> {
  /** Named statements are prepared, one text per name. Others are planned for the values of each call. */
  readonly name: string | undefined;
  readonly text: string;
  /** Undefined: the rows are not read, though they may be counted. */
  readonly row: RowShape | undefined;
  /** Parses the columns with `jsonBigint` or `jsonTimestamp`; null: there are none. */
  readonly converted: z.ZodObject | null;
  readonly writesInSafeMode: boolean;
  readonly [rowType]: Row;
}

/** Every statement with a constant text, for the tests. */
export const statements: Statement<unknown>[] = [];

const convertedOfShape = new WeakMap<RowShape, z.ZodObject | null>();

/** Found once for each shape: texts that are built per call share theirs. */
function convertedOf(row: RowShape): z.ZodObject | null {
  let converted = convertedOfShape.get(row);
  if (converted === undefined) {
    const columns = Object.entries(row).filter(([, column]) => isConverted(column));
    converted = columns.length === 0 ? null : z.object(Object.fromEntries(columns));
    convertedOfShape.set(row, converted);
  }
  return converted;
}

/** For texts built per call, e.g. from filters. Named if there are only a few. */
export const statementOf = <Shape extends RowShape>(row?: Shape) => {
  const converted = row ? convertedOf(row) : null;
  return (text: string, options: { readonly name?: string | undefined; readonly writesInSafeMode?: boolean } = {}) =>
    ({
      name: options.name,
      text,
      row,
      converted,
      writesInSafeMode: options.writesInSafeMode === true,
    }) as Statement<RowOf<Shape>>;
};

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
 * Declares a statement at module level: statement("find_user", { id: int })`select …`. Interpolations are SQL, never
 * values: values are $1, $2 …. Tests compare the row with the database.
 */
export const statement = declare(false);
/** Also runs in safe mode, for signing in and reading. */
export const safeModeStatement = declare(true);

export function bindValues({ name, text }: Statement<unknown>, values: readonly unknown[]): pg.QueryConfig {
  return { name, text, values: values.map((value) => (Array.isArray(value) ? toArrayText(value) : value)) };
}

/** Compares results with their declaration. Set by tests only. */
export const resultCheck: { compare?: (statement: Statement<unknown>, result: pg.QueryResult) => void } = {};

export function readRows<Row>(statement: Statement<Row>, result: pg.QueryResult): Row[] {
  resultCheck.compare?.(statement, result);
  const { converted } = statement;
  return converted ? result.rows.map((row) => ({ ...row, ...converted.parse(row) })) : result.rows;
}

export async function findRow<Row>(
  db: Pick<Database, "query">,
  statement: Statement<Row>,
  values: readonly unknown[],
): Promise<Row | null> {
  const [row] = await db.query(statement, values);
  return row ?? null;
}

/** For statements that always return a row. */
export async function getRow<Row>(
  db: Pick<Database, "query">,
  statement: Statement<Row>,
  values: readonly unknown[],
): Promise<Row> {
  const row = await findRow(db, statement, values);
  if (row === null) throw new Error(`${statement.name ?? statement.text} returned no row`);
  return row;
}
