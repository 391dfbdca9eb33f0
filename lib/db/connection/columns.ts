import { z } from "zod";

/** Column types by PostgreSQL's names. */
export const text = z.string();
export const int = z.int();
export const bigint = z.bigint();
export const float = z.number();
export const boolean = z.boolean();
export const timestamp = z.date();
export const bytes = z.instanceof(Buffer);

export const nullable = z.nullable;
export const list = z.array;
export const oneOf = z.enum;
export const json = z.object;
export const jsonValue = z.json();
export const jsonObject = z.record(text, z.unknown());
export const partialRecord = z.partialRecord;

/** Within JSON, where both are text: its numbers are too short for money, and it has no times. */
export const jsonBigint = text.transform(BigInt);
export const jsonTimestamp = text.transform((iso) => new Date(iso));

/** Whether a column has parts that are read as another type than they come in. */
export function isConverted(column: z.core.$ZodType): boolean {
  if (column instanceof z.ZodPipe) return true;
  if (column instanceof z.ZodNullable) return isConverted(column.unwrap());
  if (column instanceof z.ZodRecord) return isConverted(column.valueType);
  if (column instanceof z.ZodArray) return isConverted(column.element);
  return column instanceof z.ZodObject && Object.values(column.shape).some(isConverted);
}

/** Narrows a column's type, e.g. to a branded id. */
export function as<Value>(column: z.ZodType<unknown>): z.ZodType<Value> {
  return column as z.ZodType<Value>;
}
