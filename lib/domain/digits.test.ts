import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const unbounded = /(?:\\d|\[0-9\])(?:[+*]|\{\d+,\})/;

/** Patterns that only recognize digits; nothing makes a number of them. */
const recognizing = [
  "lib/domain/hostname.ts: const dottedDecimalPattern = /^\\d+\\.\\d+\\.\\d+\\.\\d+$/;",
  "lib/domain/server-name.ts: return labels.length > 1 && !/^\\d+$/.test(topLevel) && !privateTopLevels.has(topLevel);",
];

test("every pattern for a number says how many digits it may have: five million of them block everyone for a second", () => {
  const files = globSync("{app,components,lib}/**/*.{ts,tsx}", {
    cwd: root,
    exclude: ["**/*.test.ts", "lib/db/generated/**"],
  });
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .filter((line) => unbounded.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found.toSorted()).toEqual(recognizing.toSorted());
});
