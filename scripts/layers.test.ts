import { execFile } from "node:child_process";
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..");
/** Generated code and type declarations. */
const NO_LAYERS = new Set(["generated"]);

interface Override {
  readonly includes: readonly string[];
  readonly linter: {
    readonly rules: {
      readonly style?: {
        readonly noRestrictedImports?: {
          readonly options: { readonly patterns: readonly { readonly group: string[] }[] };
        };
      };
    };
  };
}

const layerOf = (path: string) => path.replace(/^#?(?:lib\/)?/, "").replace(/(?:\/\*\*|\.ts)$/, "");

/** Layer → layers that the lint lets it import, besides itself. */
function lintedLayers(): Record<string, string[]> {
  const { overrides } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8")) as { overrides: Override[] };
  const layers = overrides.flatMap(({ includes, linter }) => {
    const [group] = linter.rules.style?.noRestrictedImports?.options.patterns.map((pattern) => pattern.group) ?? [];
    if (!group?.includes("#*")) return [];
    const layer = layerOf(String(includes[0]));
    const allowed = group.filter((pattern) => pattern.startsWith("!")).map((pattern) => layerOf(pattern.slice(1)));
    return [[layer, allowed.filter((name) => name !== layer).toSorted()] as const];
  });
  return Object.fromEntries(layers);
}

function documentedLayers(): Record<string, string[]> {
  const page = readFileSync(join(root, "docs", "architecture.md"), "utf8");
  const [, table = ""] = page.split("| Layer | May import |\n|---|---|\n");
  const rows = [...(table.split("\n\n", 1)[0] ?? "").matchAll(/^\| (\w+) \| (.+) \|$/gm)];
  return Object.fromEntries(
    rows.map(([, layer = "", allowed = ""]) => [
      layer,
      allowed
        .replace("types of services and actions", "services, app")
        .split(", ")
        .filter((name) => name !== layer)
        .toSorted(),
    ]),
  );
}

test("docs/architecture.md and the lint agree on every layer's imports", () => {
  const linted = lintedLayers();
  expect(Object.keys(linted).length).toBeGreaterThan(10);
  expect(documentedLayers()).toEqual(linted);
});

test("components import only types from services and actions", async () => {
  const copy = mkdtempSync(join(tmpdir(), "layers-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  for (const file of ["biome.json", "layers.grit", ".gitignore"]) copyFileSync(join(root, file), join(copy, file));
  mkdirSync(join(copy, "components"));
  const service = '"#lib/services/wallet/balance.ts"';
  const action = '"#app/(dashboard)/wallet/actions.ts"';
  const lines = {
    type: `import type { Balance } from ${service};`,
    "type again": `export type { Balance } from ${service};`,
    "type of an action": `import type { requestTopUp } from ${action};`,
    action: `import { requestTopUp } from ${action};`,
    "type of a page": 'import type { PageProps } from "#app/page-props.ts";',
    value: `import { getBalance } from ${service};`,
    "value beside a type": `import { type Balance, getBalance } from ${service};`,
    "value again": `export { getBalance } from ${service};`,
    everything: `export * from ${service};`,
    "value later": `export const balance = import(${service});`,
    effects: `import ${service};`,
  };
  for (const [name, line] of Object.entries(lines)) writeFileSync(join(copy, "components", `${name}.ts`), line);
  const biome = join(root, "node_modules", ".bin", "biome");
  const args = ["lint", "--reporter=json", "--only=plugin", "--only=style/noRestrictedImports"];
  const { stdout } = await promisify(execFile)(biome, args, { cwd: copy }).catch((failed) => failed);
  const report = JSON.parse(stdout) as { diagnostics: { location: { path: string } }[] };
  const refused = report.diagnostics.map(({ location }) => location.path.match(/([\w ]+)\.ts$/)?.[1]);
  expect(refused.toSorted()).toEqual(Object.keys(lines).slice(3).toSorted());
});

test("every folder of lib is a layer with a rule", () => {
  const folders = readdirSync(join(root, "lib"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NO_LAYERS.has(entry.name))
    .map(({ name }) => name);
  expect(folders.filter((folder) => !(folder in lintedLayers()))).toEqual([]);
});

test("only lib/db uses Prisma", () => {
  const files = globSync("{app,components,lib}/**/*.{ts,tsx}", {
    cwd: root,
    exclude: ["**/*.test.ts", "lib/db/**"],
  });
  expect(files.length).toBeGreaterThan(500);
  const prisma = /\w\.prisma\b|[{,] prisma\b|from "#lib\/db\/generated/;
  const lines = files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .filter((line) => prisma.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(lines).toEqual([]);
});

test("the product and the clients share no code", () => {
  const files = globSync("{app,components,lib,prisma}/**/*.{ts,tsx}", { cwd: root }).concat(
    globSync("*.{ts,mjs}", { cwd: root }),
  );
  expect(files.length).toBeGreaterThan(500);
  const client = /from "[^"]*\bclients\//;
  expect(files.filter((file) => client.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
});
