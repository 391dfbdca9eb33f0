import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selectionSchema } from "./licenses/bulk/action-schemas.ts";

const root = join(import.meta.dirname, "..", "..");

test("an id beyond the largest number of a column is refused before anything is looked up", () => {
  const selects = (id: number) => selectionSchema.safeParse({ ids: [8, id] }).success;
  expect(selects(2_147_483_647)).toBe(true);
  expect(selects(2_147_483_648)).toBe(false);
});

test("every whole number of a server action is declared with the bounds of a column", () => {
  const files = ["app", "lib/dashboard"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
      .map((path) => join(root, folder, path)),
  );
  const unbounded = files.filter((path) => /\bz\.(?:coerce\.)?(?:int|bigint)\(\)/.test(readFileSync(path, "utf8")));
  expect(files.length).toBeGreaterThan(50);
  expect(unbounded).toEqual([]);
});
