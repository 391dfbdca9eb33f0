import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

test("only the domain knows how an id of a license is written", () => {
  const sources = globSync("{app,components,lib}/**/*.{ts,tsx}", { cwd: root }).filter(
    (path) => !path.includes(".test.") && path !== "lib/domain/ids.ts",
  );
  expect(sources.length).toBeGreaterThan(1000);
  expect(sources.filter((path) => readFileSync(join(root, path), "utf8").includes("lic_${"))).toEqual([]);
});
