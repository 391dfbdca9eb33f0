import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { buildId } from "./build-id.ts";

/**
 * Builds the dashboard unless there is a complete build of the current sources, so an update takes effect at the next
 * start. @throws if the build fails
 */
export async function ensureBuilt(root: string, log: (line: string) => void, signal: AbortSignal): Promise<void> {
  if (isBuilt(root)) return;
  log("Building the dashboard (once, and after each update).");
  rmSync(buildMarkerPath(root), { force: true });
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
  return existsSync(buildMarkerPath(root)) && existsSync(id) && readFileSync(id, "utf8") === buildId(root);
}

/** Next writes BUILD_ID early and this file last: an interrupted build lacks it. */
function buildMarkerPath(root: string): string {
  return join(root, ".next", "prerender-manifest.json");
}
