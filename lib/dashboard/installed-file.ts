import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installationRoot } from "#lib/env.ts";

/** The text of a file of this version. @param path from its root */
export function readInstalledFile(path: string): string {
  return readFileSync(join(/* turbopackIgnore: true */ installationRoot(), path), "utf8");
}
