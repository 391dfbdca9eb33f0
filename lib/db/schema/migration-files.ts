import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export type MigrationFile = {
  name: string;
  script: string;
  /** As in `_prisma_migrations`: the script's SHA-256 in hexadecimal. */
  checksum: string;
};

/** Whether versions before its expansion cannot run on a database that has it. */
export const isContractStep = (name: string): boolean => /^\d{1,20}_contract_/.test(name);

/** In the order in which they apply. */
export async function readMigrationFiles(migrationsDir: string): Promise<MigrationFile[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const bytes = await readFile(join(migrationsDir, name, "migration.sql"));
      return { name, script: bytes.toString("utf8"), checksum: createHash("sha256").update(bytes).digest("hex") };
    }),
  );
}
