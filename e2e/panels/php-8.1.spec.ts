import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { missingPhp, runPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";

const root = join(import.meta.dirname, "..", "..");
const script = join(import.meta.dirname, "php-8.1.php");

test("the client and the modules have no syntax that is newer than PHP 8.1", async () => {
  const missing = await missingPhp();
  test.skip(missing !== null, String(missing));
  const files = globSync("{clients/php,integrations}/**/*.php", { cwd: root }).map((file) => join(root, file));
  expect(files.length).toBeGreaterThan(30);
  expect(await runPhp([script, ...files])).toBe("");

  const newer = test.info().outputPath("newer.php");
  for (const [code, name] of [
    ["final readonly class A { }", "a readonly class"],
    ["function a(): true { return true; }", "true, false or null as a type"],
    ["function a(null $b) { }", "true, false or null as a type"],
    ["class A { private false $b; }", "true, false or null as a type"],
    ["class A { const string B = ''; }", "a typed constant"],
    ["trait A { const B = 1; }", "a trait"],
  ] as const) {
    writeFileSync(newer, `<?php ${code}`);
    expect(await runPhp([script, newer])).toContain(name);
  }
});
