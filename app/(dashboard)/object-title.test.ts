import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { objectTitle } from "./object-title.ts";

test("every page about one object has a title of its own for each", () => {
  const pages = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.includes("[") && file.endsWith("page.tsx"),
  );
  expect(pages.length).toBeGreaterThan(20);
  const alike = pages.filter(
    (file) =>
      !/export (async function|const) generateMetadata/.test(readFileSync(join(import.meta.dirname, file), "utf8")),
  );
  expect(alike).toEqual([]);
});

test("a title names the object, and only its kind where it must not be seen", async () => {
  const title = objectTitle(
    async ({ id }: { id: string }) => {
      if (id !== "1") throw new Error("not found");
      return "Plesk";
    },
    (name) => `${name} · Catalog`,
    "Product",
  );
  expect(await title({ params: Promise.resolve({ id: "1" }) })).toEqual({ title: "Plesk · Catalog" });
  expect(await title({ params: Promise.resolve({ id: "2" }) })).toEqual({ title: "Product" });
});
