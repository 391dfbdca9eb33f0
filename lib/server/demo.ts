import { join } from "node:path";
import { writePrivateJson } from "#lib/embedded/private-file.ts";

/** How to get into a freshly seeded installation. */
export type DemoAccess = {
  url: string;
  admin: { email: string; password: string };
  reseller: { email: string; password: string };
  api_key: string;
};

/** Writes the access data to `DATA_DIR/demo.json` for the owner alone, and returns the text that shows it. */
export function keepDemoAccess(dataDir: string, access: DemoAccess): string {
  const file = join(dataDir, "demo.json");
  writePrivateJson(file, access);
  return [
    "",
    `A demonstration is in the database. Its access data, kept in ${file}:`,
    `  Reseller  ${access.reseller.email}  ${access.reseller.password}`,
    `  Admin     ${access.admin.email}  ${access.admin.password}`,
    `  API key   ${access.api_key}`,
    "",
    "Try:",
    `  curl -H "Authorization: Bearer ${access.api_key}" "${access.url}/api/v1/licenses?limit=3"`,
    `  curl -H "X-API-Key: ${access.api_key}" "${access.url}/api/v1/?endpoint=balance"`,
    "",
  ].join("\n");
}
