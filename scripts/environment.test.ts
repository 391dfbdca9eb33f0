import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatTable, replaceTable } from "./environment/table.ts";

const root = join(import.meta.dirname, "..");
const source = readFileSync(join(root, "lib", "env.ts"), "utf8");
const page = readFileSync(join(root, "docs", "operating", "environment.md"), "utf8");

test("the published table is the one that `npm run docs:env` makes of lib/env.ts", () => {
  expect(page).toBe(replaceTable(page, formatTable(source)));
});

test("a row has the default, the meaning and the bounds", () => {
  const rows = formatTable(source).split("\n");
  expect(rows).toContain("| `PORT` | 3000 | Port to listen on; 0 picks a free one. 0 to 65,535. |");
  expect(rows).toContain("| `NEXTAUTH_URL` | the address listened on | Public URL of the dashboard. |");
  expect(rows.find((row) => row.startsWith("| `DATABASE_URL` | none |"))).toMatch(
    /must own the database and need not be/,
  );
});

test("a variable without a comment is an error that names it", () => {
  const uncommented = source.replace(/ {2}\/\*\*.*\*\/\n(?= {2}PORT:)/, "");
  expect(() => formatTable(uncommented)).toThrow("PORT has no comment");
});
