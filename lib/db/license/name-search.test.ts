import { expect, test } from "vitest";
import { nameSearch } from "./search.ts";

test("a search is named if it is by a few words alone, whether or not other conditions are listed as absent", () => {
  const name = nameSearch({ text: "web 12" }, "select");
  expect(name).toMatch(/^search_licenses_/);
  expect(nameSearch({ text: "web 12", status: undefined, tag: undefined }, "select")).toBe(name);
  expect(nameSearch({ text: "web 12", status: "active" }, "select")).toBeUndefined();
  expect(nameSearch({ text: "one two three four" }, "select")).toBeUndefined();
  expect(nameSearch({}, "select")).toBeUndefined();
});
