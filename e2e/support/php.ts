import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Reseller } from "./world.ts";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "..", "clients", "php");

export interface PhpCall {
  /** A group such as `licenses`, empty for the client, or the number of an earlier call for its result. */
  readonly on: string | number;
  readonly do: string;
  readonly args?: Readonly<Record<string, unknown>> | readonly unknown[];
}

// biome-ignore lint/suspicious/noExplicitAny: the client's own results and exceptions, as JSON.
export type PhpOutcome = { readonly value?: any; readonly failure?: any };

/** Why tests of PHP cannot run here, or null. */
export async function missingPhp(...extensions: readonly string[]): Promise<string | null> {
  for (const check of [["--version"], ...extensions.map((name) => ["--ri", name])]) {
    const isThere = await run("php", check).then(
      () => true,
      () => false,
    );
    if (!isThere) return `php ${check.join(" ")} fails: php-cli or an extension is not installed`;
  }
  return null;
}

/** Why tests that use a library of PHP's include path cannot run here, or null. */
export async function missingLibrary(file: string): Promise<string | null> {
  return run("php", ["-r", `require '${file}';`]).then(
    () => null,
    () => `PHP's ${file} is not installed`,
  );
}

/** Makes calls of the PHP client in one process, up to the first failure. */
export async function callPhp(
  { apiKey, baseUrl }: Pick<Reseller, "apiKey" | "baseUrl">,
  calls: readonly PhpCall[],
  { transport = "stream", ...settings }: { readonly transport?: string; readonly [setting: string]: unknown } = {},
): Promise<readonly PhpOutcome[]> {
  // Streams need no extension that PHP can be built without.
  const child = spawn("php", [...(transport === "stream" ? ["-n"] : []), join(folder, "call.php")], {
    env: { ...process.env, TRANSPORT: transport },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const order = { client: { baseUrl, apiKey, ...settings }, calls: calls.map((call) => ({ args: [], ...call })) };
  child.stdin.end(JSON.stringify(order));
  const [output] = await Promise.all([child.stdout.toArray(), once(child, "exit")]);
  return JSON.parse(Buffer.concat(output).toString("utf8"));
}

/** What a script prints. */
export async function runPhp(
  script: string | readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await run("php", [script].flat(), { env: { ...process.env, ...env } });
  return stdout;
}
