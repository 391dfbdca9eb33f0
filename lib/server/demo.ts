import { join } from "node:path";
import { isLoopback } from "#lib/domain/loopback.ts";
import { writePrivateJson } from "#lib/embedded/private-file.ts";
import type { Env } from "#lib/env.ts";
import type { DemoCredentials } from "#lib/seed/demo.ts";

/** The demonstration prints the password of an admin, so only this machine may reach it. */
export function allowsDemo({ HOST, DEMO }: Pick<Env, "HOST" | "DEMO">): boolean {
  return DEMO === "on" && isLoopback(HOST);
}

/** Printed instead of the demonstration's credentials. */
export const FIRST_STEPS = [
  "",
  "The database is empty: there is no demonstration with DEMO=off, or if HOST can be reached from elsewhere.",
  "Create the first admin:",
  "  npm run -s admin -- user create-admin --email you@example.com --name You --password-file …",
  "",
].join("\n");

/** Writes the credentials to `DATA_DIR/demo.json`, readable only by the owner, and returns the text that shows them. */
export function writeDemoCredentials(dataDir: string, access: DemoCredentials): string {
  const file = join(dataDir, "demo.json");
  writePrivateJson(file, access);
  return [
    "",
    `The database has a demonstration. Its credentials, stored in ${file}:`,
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
