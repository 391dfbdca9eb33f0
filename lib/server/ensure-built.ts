import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Next writes the first early and the last when all is done: an interrupted build lacks it. */
const BUILD_MARKS = ["BUILD_ID", "prerender-manifest.json"];

/** Builds the dashboard when it was never built to the end; this takes about a minute, once. @throws when the build fails. */
export async function ensureBuilt(root: string, log: (line: string) => void, signal: AbortSignal): Promise<void> {
  if (BUILD_MARKS.every((name) => existsSync(join(root, ".next", name)))) return;
  log("Building the dashboard (once).");
  const nextCli = createRequire(import.meta.url).resolve("next/dist/bin/next");
  const build = spawn(process.execPath, [nextCli, "build"], {
    cwd: root,
    stdio: "inherit",
    signal,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    build.once("error", reject);
    build.once("exit", resolve);
  });
  if (code !== 0) throw new Error("The dashboard could not be built: see above.");
}
