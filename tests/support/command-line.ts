import { execFile } from "node:child_process";
import { join } from "node:path";
import { vi } from "vitest";
import { runCommandLine } from "#lib/cli/program.ts";
import { compiledCode } from "../compiled-code.ts";

const script = join(import.meta.dirname, "..", "..", "scripts", "admin.ts");
const variables = [
  "DATA_DIR",
  "DATABASE_URL",
  "API_KEY_PEPPER",
  "LOG_LEVEL",
  "PROVIDER_ALLOW_HTTP",
  "HOST",
  "DEMO",
  "NEXTAUTH_SECRET",
  "BACKUP_DIR",
  "SAFE_MODE",
  "BACKUP_PASSPHRASE",
] as const;

export type Environment = Readonly<Partial<Record<(typeof variables)[number], string>>>;

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, which saves a second. Not concurrently. */
export async function runHere(args: readonly string[], environment: Environment): Promise<CommandResult> {
  const said = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      said[stream] += String(text);
      return true;
    }),
  );
  for (const name of variables) vi.stubEnv(name, environment[name]);
  try {
    await runCommandLine(args);
    return { code: Number(process.exitCode ?? 0), ...said };
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}

/** Runs a command line in its own process. `input` fills its standard input. */
export function runAlone(
  args: readonly string[],
  environment: Environment,
  input: Promise<string> | string = "",
): Promise<CommandResult> {
  const env = { PATH: process.env.PATH, NODE_ENV: "test", ...compiledCode, ...environment } as NodeJS.ProcessEnv;
  return new Promise((resolve) => {
    const { stdin } = execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    // A program that has ended reads no more.
    stdin?.on("error", () => undefined);
    void Promise.resolve(input).then((text) => stdin?.end(text));
  });
}
