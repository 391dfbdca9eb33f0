import { join } from "node:path";
import { cidrContains, parseCidr } from "#lib/domain/ipv4.ts";
import { writePrivateJson } from "#lib/embedded/private-file.ts";
import type { Env } from "#lib/env.ts";

const LOOPBACK = ["127.0.0.0/8", "::1"].map(parseCidr).filter((cidr) => cidr !== null);

/** The demonstration has an admin whose password is printed, so only this machine may reach it. */
export function allowsDemo({ HOST, DEMO }: Pick<Env, "HOST" | "DEMO">): boolean {
  const host = HOST.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return DEMO === "on" && (host === "localhost" || LOOPBACK.some((cidr) => cidrContains(cidr, host)));
}

/** Shown instead of the demonstration's access data. */
export const FIRST_STEPS = [
  "",
  "The database is empty: there is no demonstration with DEMO=off, or when HOST can be reached from elsewhere.",
  "Create the first admin:",
  "  npm run -s admin -- user create-admin --email you@example.com --name You --password …",
  "",
].join("\n");

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
