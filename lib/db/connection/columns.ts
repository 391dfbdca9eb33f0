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

/** Narrows a column's type, e.g. to a branded id. */
export function as<Value>(column: z.ZodType<unknown>): z.ZodType<Value> {
  return column as z.ZodType<Value>;
}
