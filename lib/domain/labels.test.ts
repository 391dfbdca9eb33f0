import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeLabels, formatTags, MAX_TAGS, parseCustomerField, parseTags, TAG_MAX_LENGTH } from "./labels.ts";
import { isWithinLength } from "./text.ts";

describe("tags", () => {
  test.each([
    ["", []],
    [" , ;\n", []],
    ["VIP", ["vip"]],
    ["web, EU;  web ", ["eu", "web"]],
    ["a\u0301cute", ["\u00e1cute"]],
    ["two   words", ["two words"]],
    ["מפתח, 🚀", ["מפתח", "🚀"]],
    [
      ["Web", "eu"],
      ["eu", "web"],
    ],
  ])("%j are %j", (written, tags) => {
    expect(parseTags(written)).toEqual(tags);
  });

  test.each([
    ["too many", Array.from({ length: 10_000 }, (_, index) => `t${index}`).join(",")],
    ["a tag that is too long", "x".repeat(TAG_MAX_LENGTH + 1)],
    ["a NUL byte", "a\0b"],
    ["a control character", "a\u0001b"],
    ["a lone surrogate", "\ud800"],
    ["a separator within a tag of a list", ["a,b"]],
    ["a Greek question mark, which is a semicolon, within a tag of a list", ["a\u037eb"]],
  ])("%s: invalid", (_, written) => {
    expect(parseTags(written)).toBeNull();
  });

  test("parsed tags read the same again, and are within their limits", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (written) => {
        const tags = parseTags(written);
        if (tags === null) return;
        expect(parseTags(formatTags(tags))).toEqual(tags);
        expect(tags.length).toBeLessThanOrEqual(MAX_TAGS);
        for (const tag of tags) expect(isWithinLength(tag, TAG_MAX_LENGTH)).toBe(true);
      }),
      { numRuns: 500, examples: [["a\u037eb"], ["İ, i\u0307"]] },
    );
  });
});

test.each([
  ["customerName", "  Acme\n GmbH ", "Acme GmbH"],
  ["customerName", "", ""],
  ["customerName", "x".repeat(121), null],
  ["customerName", "a\u0000b", null],
  ["customerEmail", " billing@acme.example ", "billing@acme.example"],
  ["customerEmail", "billing", null],
  ["customerEmail", "a b@acme.example", null],
  ["customerReference", "C-1042", "C-1042"],
  ["customerReference", "x".repeat(101), null],
] as const)("%s %j is %j", (field, written, parsed) => {
  expect(parseCustomerField[field](written)).toBe(parsed);
});

test("a change sets what it names, then adds and removes tags", () => {
  const labels = { customerName: "Acme", customerEmail: "", customerReference: "7", tags: ["eu", "web"] };
  expect(changeLabels(labels, { customerReference: "", addTags: ["vip", "eu"], removeTags: ["web"] })).toEqual({
    ...labels,
    customerReference: "",
    tags: ["eu", "vip"],
  });
  expect(changeLabels(labels, { tags: [] }).tags).toEqual([]);
});
