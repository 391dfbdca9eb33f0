import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const pages = globSync(["*.md", "{docs,bench,clients,integrations}/**/*.md"], { cwd: root });
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** GitHub's anchors of headings; a duplicate ends in `-1`. */
function anchorsOf(page: string): string[] {
  const counts = new Map<string, number>();
  const prose = read(page).replaceAll(/^\s*```[\s\S]*?^\s*```/gm, "");
  return [...prose.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = ""]) => {
    const text = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim()
      .toLowerCase();
    const anchor = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

function leadsNowhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && !statSync(join(root, target)).isDirectory() && !anchorsOf(target).includes(anchor);
}

test("every link in a document leads to an existing file and heading", () => {
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = ""]) => ({ page, link }))
      .filter(({ link }) => !/^(?:https?|mailto):/.test(link)),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ page, link }) => leadsNowhere(page, link))).toEqual([]);
});

test("every path in a document exists", () => {
  const folders = "lib|app|components|e2e|tests|prisma|scripts|agent|bench|clients|docs|integrations|ops";
  const path = new RegExp(`\`((?:${folders})/[^\`\\s…]+)\``, "g");
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(path)].map(([, name = ""]) => ({ page, name: name.replace(/\(\w*\)$/, "") })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !isThere(name))).toEqual([]);
});

/** `<noun>` stands for any name; `{a,b}` and `*` are a shell's. */
function isThere(name: string): boolean {
  return existsSync(join(root, name)) || globSync(name.replaceAll(/<\w+>/g, "*"), { cwd: root }).length > 0;
}

test("each name in a test command of CONTRIBUTING.md selects a file", () => {
  const files = {
    "vitest run": globSync("{agent,app,clients,components,lib,prisma,scripts,tests}/**/*.test.ts", { cwd: root }),
    "playwright test": globSync("e2e/**/*.spec.ts", { cwd: root }),
  };
  const named = [...read("CONTRIBUTING.md").matchAll(/(vitest run|playwright test)((?: [\w./=-]+)+)/g)].flatMap(
    ([, program, words = ""]) => [...words.matchAll(/ (\w\S*)/g)].map(([, name = ""]) => ({ program, name })),
  );
  expect(named.length).toBeGreaterThan(20);
  const isSelected = ({ program, name }: (typeof named)[number]) =>
    files[program as keyof typeof files].some((file) => file.includes(name));
  expect(named.filter((one) => !isSelected(one))).toEqual([]);
});

test("every npm script that a document names exists", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = pages.flatMap((page) => [...read(page).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name = "") => !(name in scripts))).toEqual([]);
});
