import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const require = createRequire(import.meta.url);
const modules = join(import.meta.dirname, "..", "..", "node_modules");
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
const DESK = 'declare const desk: import("license-desk-client").LicenseDesk;\n';

const readme = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);

test("the examples of the README compile", { timeout: 60_000 }, () => {
  expect(examples.length).toBeGreaterThan(5);
  const folder = mkdtempSync(join(tmpdir(), "license-desk-readme-"));
  try {
    examples.forEach((code, index) => {
      const needsDesk = /\bdesk\./.test(code) && !code.includes("const desk =");
      writeFileSync(join(folder, `example-${index}.mts`), `${needsDesk ? DESK : ""}${code}export {};\n`);
    });
    const compilerOptions = {
      noEmit: true,
      paths: { "license-desk-client": [join(import.meta.dirname, "src", "index.ts")] },
      typeRoots: [join(modules, "@types")],
      types: ["node"],
    };
    const config = {
      extends: join(import.meta.dirname, "tsconfig.json"),
      compilerOptions,
      include: ["*.mts"],
      files: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const { stdout, status } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
