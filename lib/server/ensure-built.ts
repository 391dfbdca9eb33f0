import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { buildId } from "./build-id.ts";

/**
 * Builds the dashboard unless it was built to the end and of these very sources: an update takes effect at the next
 * start. It takes about a minute. @throws when the build fails.
 */
export async function ensureBuilt(root: string, log: (line: string) => void, signal: AbortSignal): Promise<void> {
  if (isBuilt(root)) return;
  log("Building the dashboard (once, and after each update).");
  rmSync(finished(root), { force: true });
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

function isBuilt(root: string): boolean {
  const id = join(root, ".next", "BUILD_ID");
  return existsSync(finished(root)) && existsSync(id) && readFileSync(id, "utf8") === buildId(root);
}

/** Next writes its BUILD_ID early, and this when all is done: an interrupted build lacks it. */
function finished(root: string): string {
  return join(root, ".next", "prerender-manifest.json");
}
