import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { buildId } from "./build-id.ts";
import { compressStaticFiles } from "./static-files.ts";

/**
 * Builds the dashboard unless there is a complete build of the current sources, so an update takes effect at the next
 * start. @throws if the build fails, or cannot be written
 */
export async function ensureBuilt(root: string, log: (line: string) => void, signal: AbortSignal): Promise<void> {
  if (isBuilt(root)) return;
  requireWritable(root);
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
  await compressStaticFiles(root, signal);
}

function requireWritable(root: string): void {
  try {
    accessSync(existsSync(join(root, ".next")) ? join(root, ".next") : root, constants.W_OK);
  } catch {
    throw new Error(
      `There is no build of these sources in ${root}, and this user cannot write one: run "npm run build" there as the ` +
        "owner of its files.",
    );
  }
}

function isBuilt(root: string): boolean {
  const id = join(root, ".next", "BUILD_ID");
  return existsSync(buildMarkerPath(root)) && existsSync(id) && readFileSync(id, "utf8") === buildId(root);
}

/** Next writes BUILD_ID early and this file last: an interrupted build lacks it. */
function buildMarkerPath(root: string): string {
  return join(root, ".next", "prerender-manifest.json");
}
