import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createLoader, createSerializer, type ParserMap } from "nuqs/server";
import { describe, expect, test } from "vitest";
import { clearLabelOf, isFiltered, parseAsPlace, parseAsText, timeParams } from "./list-params.ts";

const components = join(import.meta.dirname, "..");

/** Every declaration of what the URL of a list can hold. */
const files = readdirSync(components, { recursive: true, encoding: "utf8" }).filter((file) =>
  /-params\.ts$/.test(file),
);
const declarations = (
  await Promise.all(files.map(async (file) => Object.entries(await import(join(components, file)))))
).flatMap((exported) => exported.filter(([name, value]) => name.endsWith("Params") && typeof value === "object"));

test("the declarations are found", () => {
  expect(declarations.length).toBeGreaterThan(9);
});

describe.each(declarations)("%s", (_, declared) => {
  const params = declared as ParserMap;
  const [load, href] = [createLoader(params), createSerializer(params)];
  const likely = fc.constantFrom(
    "active",
    "all",
    "1",
    "12",
    "1h",
    "2027-01-31",
    "0-1.2.3.4",
    "1700000000000-5",
    "lic_1",
  );
  const query = fc.dictionary(fc.constantFrom(...Object.keys(params)), fc.oneof(likely, fc.string({ unit: "binary" })));

  test("no URL fails, and a link keeps everything that was understood", () => {
    fc.assert(
      fc.property(query, (values) => {
        const view = load(values);
        expect(load(new URLSearchParams(href(view)))).toEqual(view);
      }),
    );
  });
});

test("empty text, and text with a NUL, counts as absent", () => {
  const { parse } = parseAsText();
  expect([parse(""), parse("  "), parse("a\0b"), parse(" web 1 ")]).toEqual([null, null, null, "web 1"]);
});

test("a time is one that the database can hold", () => {
  const { parse } = timeParams.from;
  expect(parse("2027-03-01T10:00:00.000Z")).toBe("2027-03-01T10:00:00.000Z");
  expect([
    parse("soon"),
    parse("2027-02-31"),
    parse("+012027-01-01T00:00:00Z"),
    parse("-000001-01-01T00:00:00Z"),
  ]).toEqual([null, null, null, null]);
});

test("a place is a time and an id", () => {
  expect(parseAsPlace.parse("1700000000000-5")).toEqual({ at: new Date(1_700_000_000_000), id: "5" });
  expect([parseAsPlace.parse("5"), parseAsPlace.parse("1-0"), parseAsPlace.parse("-1-5")]).toEqual([null, null, null]);
});

test("an order or a page is no filter", () => {
  expect(isFiltered({ q: null, sort: "newest", before: 3, after: 4 })).toBe(false);
  expect(isFiltered({ q: "web", sort: null })).toBe(true);
});

test("what is cleared is called a search where nothing else is chosen", () => {
  expect(clearLabelOf({ q: "web", state: null, sort: "newest" })).toBe("Clear search");
  expect(clearLabelOf({ q: "web", state: "retired" })).toBe("Clear filters");
  expect(clearLabelOf({ q: null, state: "retired" })).toBe("Clear filters");
});
