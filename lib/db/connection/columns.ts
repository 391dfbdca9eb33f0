import { z } from "zod";

/** What a column holds, by the names of PostgreSQL's types. */
export const text = z.string();
export const int = z.int();
export const bigint = z.bigint();
export const float = z.number();
export const boolean = z.boolean();
export const timestamp = z.date();
export const bytes = z.instanceof(Buffer);

export const nullable = z.nullable;
export const list = z.array;
/** An enum of the database or a text of few values. */
export const oneOf = z.enum;
/** JSON. */
export const json = z.object;
export const jsonValue = z.json();
export const jsonObject = z.record(text, z.unknown());
export const partialRecord = z.partialRecord;

/** Gives a column a narrower type than the database has, such as a branded id. */
export function as<Value>(column: z.ZodType<unknown>): z.ZodType<Value> {
  return column as z.ZodType<Value>;
}
