import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** Browsers restore an earlier choice when somebody comes back, without an event: a form would show one and send another. */
test("each select, checkbox and radio button keeps browsers from restoring a choice", () => {
  const choices = ["app", "components"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
    )
    .filter((path) => path.endsWith(".tsx"))
    .flatMap((path) => {
      const elements = readFileSync(join(root, path), "utf8").match(/<(?:input|select)\b[\s\S]*?(?:\/>|\n\s*>)/g) ?? [];
      return elements.map((element) => ({ path, element }));
    })
    .filter(({ element }) => element.startsWith("<select") || /\stype="(?:checkbox|radio)"/.test(element));
  expect(choices.length).toBeGreaterThanOrEqual(5);
  expect(choices.filter(({ element }) => !element.includes('autoComplete="off"'))).toEqual([]);
});
