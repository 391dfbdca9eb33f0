import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Sources of the dashboard, from the root of the project. */
const SOURCES = [
  "{app,components,lib}/**/*.{ts,tsx,css,svg,ico,woff2}",
  "prisma/**/*.{prisma,ts}",
  "{instrumentation,instrumentation-client,proxy}.ts",
  "{next,postcss}.config.mjs",
  "{package,package-lock,tsconfig}.json",
];
/** Generated from prisma/ by `npm run generate`, or not part of the build. */
const NOT_BUILT = ["lib/db/generated/**", "**/*.test.ts"];

/**
 * Equal for equal sources on every machine. Digits only, because it becomes part of URLs, where ad blockers match some
 * letters.
 */
export function buildId(root: string): string {
  const hash = createHash("sha256");
  for (const path of globSync(SOURCES, { cwd: root, exclude: NOT_BUILT }).sort()) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return BigInt(`0x${hash.digest("hex")}`)
    .toString()
    .slice(0, 30);
}
