import { z } from "zod";

const name = z.string().min(1);

/** `manifest.json`, the first entry of a backup. */
export const manifestSchema = z.object({
  format: z.literal(1),
  created_at: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.object({ name, checksum: z.string() })).readonly(),
  tables: z.array(z.object({ name, columns: z.array(name).readonly() })).readonly(),
  sequences: z
    .array(
      z.object({
        name,
        value: z
          .string()
          .regex(/^\d{1,19}$/)
          .nullable(),
      }),
    )
    .readonly(),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const MANIFEST = "manifest.json";
export const SECRETS = "secrets.json";
export const TABLES = "tables/";

/** A table's rows are in pieces of this name and a number, in order. */
export function tableFolder(table: string): string {
  return `${TABLES}${table}/`;
}
