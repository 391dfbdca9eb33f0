/** Compares PostgreSQL's result of a statement with the declared row. */
import pg from "pg";
import { z } from "zod";
import type { RowShape, Statement } from "#lib/db/connection/statement.ts";

const types = pg.types.builtins;
const [VOID, TEXT_ARRAY, VARCHAR_ARRAY, INT4_ARRAY, INT2_ARRAY] = [2278, 1009, 1015, 1007, 1005];
/** Types from here on are the database's own: enums, which `pg` reads as text. */
const FIRST_OWN_OID = 16_384;

type Field = Pick<pg.FieldDef, "name" | "dataTypeID">;

/** Whether `pg` reads a type as the column declares. Null and enum values appear only in rows. */
function isReadAs(column: z.core.$ZodType, oid: number): boolean {
  if (column instanceof z.ZodNullable) return isReadAs(column.unwrap(), oid);
  if (column instanceof z.ZodString || column instanceof z.ZodEnum)
    return (
      oid === types.TEXT || oid === types.VARCHAR || oid === types.BPCHAR || oid === types.UUID || oid >= FIRST_OWN_OID
    );
  if (column instanceof z.ZodNumberFormat) return oid === types.INT2 || oid === types.INT4;
  if (column instanceof z.ZodNumber) return oid === types.FLOAT8;
  if (column instanceof z.ZodBigInt) return oid === types.INT8;
  if (column instanceof z.ZodBoolean) return oid === types.BOOL;
  if (column instanceof z.ZodDate) return oid === types.TIMESTAMPTZ;
  if (column instanceof z.ZodCustom) return oid === types.BYTEA;
  if (oid === types.JSON || oid === types.JSONB) return true;
  if (!(column instanceof z.ZodArray)) return false;
  return column.element instanceof z.ZodNumberFormat
    ? oid === INT4_ARRAY || oid === INT2_ARRAY
    : oid === TEXT_ARRAY || oid === VARCHAR_ARRAY;
}

/** Differences between declared and returned columns. Extra columns of functions without a result are allowed. */
export function compareColumns(row: RowShape, fields: readonly Field[]): string[] {
  const returned = fields.filter(({ dataTypeID }) => dataTypeID !== VOID);
  const missing = Object.keys(row).filter((name) => !returned.some((field) => field.name === name));
  return [
    ...missing.map((name) => `${name}: is not returned`),
    ...returned.flatMap(({ name, dataTypeID }) => {
      const column = row[name];
      if (!column) return [`${name}: is not declared`];
      return isReadAs(column, dataTypeID) ? [] : [`${name}: has type ${dataTypeID}`];
    }),
  ];
}

export function compareResult({ row }: Statement<unknown>, { fields, rows }: pg.QueryResult): string[] {
  // A text of several statements has several results.
  if (!row || fields === undefined) return [];
  const differences = compareColumns(row, fields);
  if (differences.length > 0) return differences;
  const parsed = z.array(z.object(row)).safeParse(rows);
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `row ${path.join(".")}: ${message}`);
}
