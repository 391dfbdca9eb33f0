import { expect, test } from "vitest";
import { groupFound, matchesPalette, stepPalette, stillMatches } from "./palette.ts";

test("each word typed must begin a word of the label, in any order and case", () => {
  expect(matchesPalette({ href: "/", label: "Register a license" }, "")).toBe(true);
  expect(matchesPalette({ href: "/", label: "Register a license" }, "LIC reg")).toBe(true);
  expect(matchesPalette({ href: "/", label: "Register a license" }, "icense")).toBe(false);
  expect(matchesPalette({ href: "/", label: "Wallet" }, "wal licenses")).toBe(false);
});

test("synonyms are found like the label", () => {
  const item = { href: "/", label: "Print or download a statement", synonyms: "invoice bill" };
  expect(matchesPalette(item, "invoice")).toBe(true);
  expect(matchesPalette(item, "print inv")).toBe(true);
  expect(matchesPalette(item, "voice")).toBe(false);
});

test("an earlier answer stays only while it shows all that is typed", () => {
  const item = { href: "/", kind: "license" as const, label: "Control Panel on web1.example", notes: "Northwind" };
  expect(stillMatches(item, "WEB1 north")).toBe(true);
  expect(stillMatches(item, "web12")).toBe(false);
  expect(stillMatches(item, "%")).toBe(false);
});

test("what is found is grouped by kind, in order", () => {
  const kinds = ["license", "bundle", "license"] as const;
  const found = kinds.map((kind, index) => ({ href: `/${index}`, label: "", kind }));
  expect(groupFound(found).map(({ label, items }) => [label, items.length])).toEqual([
    ["Licenses", 2],
    ["Bundles", 1],
  ]);
});

test("steps go around the ends, and stay put where there is nothing", () => {
  expect(stepPalette(2, 1, 3)).toBe(0);
  expect(stepPalette(0, -1, 3)).toBe(2);
  expect(stepPalette(0, 1, 0)).toBe(0);
});
