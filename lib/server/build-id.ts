import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What the dashboard is built of, from the root of the project. */
const SOURCES = [
  "{app,components,lib}/**/*.{ts,tsx,css,svg,ico,woff2}",
  "prisma/**/*.{prisma,ts}",
  "{instrumentation,instrumentation-client,proxy}.ts",
  "{next,postcss}.config.mjs",
  "{package,package-lock,tsconfig}.json",
];
/** Made of prisma/ by `npm run generate`, or not built at all. */
const NOT_BUILT = ["lib/db/generated/**", "**/*.test.ts"];

/**
 * A build's name: the same for the same sources, on whichever machine it is made. Digits alone, because the name is part
 * of addresses, and blockers of advertisements take some letters in these for what they look for.
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
