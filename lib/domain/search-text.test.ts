import fc from "fast-check";
import { expect, test } from "vitest";
import { excerptOf, findMatches, toSearchWords } from "./search-text.ts";

const marked = (text: string, searched: string) =>
  findMatches(text, toSearchWords(searched)).map(([start, end]) => text.slice(start, end));

test("matches are where words of the search begin a word, apart and in order", () => {
  expect(marked("Rack 7, rack 12", "rack")).toEqual(["Rack", "rack"]);
  expect(marked("web-12.north.example", "north web-1")).toEqual(["web-1", "north"]);
  expect(marked("web-12", "we web")).toEqual(["web"]);
  expect(marked("web12", "12")).toEqual([]);
  expect(marked("Bundle 2 of Ann", "bundle 2")).toEqual(["Bundle 2"]);
  expect(marked("10.0.0.1 · LIC-X9MR3-3Y9QQ-74JVK-GYBJ0", "ybj0 10.0")).toEqual(["10.0", "YBJ0"]);
  expect(marked("50% off", "% _ ' \\")).toEqual([]);
});

test("an excerpt is on one line around the first match", () => {
  const words = toSearchWords("north");
  expect(excerptOf("Rack 7\nof North", words)).toBe("Rack 7 of North");
  expect(excerptOf(`${"a ".repeat(40)}north${" b".repeat(80)}`, words)).toMatch(/^…(a ){15}north( b){27} …$/);
  expect(excerptOf("Rack 7", words)).toBeNull();
});

test("matches lie within the text, apart and in order, whatever is searched for", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, searched) => {
      let last = -1;
      for (const [start, end] of findMatches(text + searched, toSearchWords(searched))) {
        expect(start).toBeGreaterThan(last);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length + searched.length);
        last = end;
      }
    }),
  );
});

test("a word can name a license, a bundle and the end of a key", () => {
  expect(toSearchWords("LIC_57 57 bundle 2 gybj0")).toMatchObject([
    { licenseId: 57, bundleInstanceId: null, keyEnding: null },
    { licenseId: 57, keyEnding: null },
    { licenseId: null, bundleInstanceId: 2, beginning: "bundle 2" },
    { bundleInstanceId: null, keyEnding: "GYBJ0" },
  ]);
  expect(toSearchWords(" \u0000 % _ ' \u0001")).toEqual([]);
});
