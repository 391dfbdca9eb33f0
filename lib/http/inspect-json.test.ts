import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inspectJson } from "./inspect-json.ts";

describe("duplicate names in JSON are detected (contract 1.7)", () => {
  test.each([
    ['{"a":1,"a":2}', "a"],
    ['{"a":{"a":1},"b":[{"a":1},"a"],"a":0}', "a"],
    ['{"a":"x\\"},{\\"a","b":1, "a" : 2}', "a"],
    ['{"a":1,"\\u0061":2}', "a"],
  ])("in %s it is %s", (text, name) => {
    expect(inspectJson(text).duplicateKey).toBe(name);
  });

  test("JSON.stringify never writes duplicates", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(inspectJson(JSON.stringify(value)).duplicateKey).toBeNull();
      }),
    );
  });

  test("any duplicated name is detected", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (value, pick) => {
        const names = Object.keys(value);
        const name = names[pick % names.length] ?? "";
        const text = `${JSON.stringify(value).slice(0, -1)},${JSON.stringify(name)}:null}`;
        expect(inspectJson(text).duplicateKey).toBe(name);
      }),
    );
  });
});

test.each([
  ["{}", 1],
  ['{"a":[],"b":{}}', 2],
  ['{"a":[[{"b":[0]}]],"c":1}', 5],
  ['{"a":"[[{","b":"\\"{"}', 1],
])("the depth of %s is %i", (text, depth) => {
  expect(inspectJson(text).depth).toBe(depth);
});

test.each([
  [
    '{"a":1,"b":1.0,"c":1e3,"d":-0,"e":12345678901234567890}',
    { a: "1", b: "1.0", c: "1e3", d: "-0", e: "12345678901234567890" },
  ],
  ['{ "a" : 1E+2 , "b":[2,{"c":3}],"d":"4","e":{"a":5} }', { a: "1E+2" }],
  ['{"a":"1","b":null}', {}],
])("the numbers of %s keep their literals", (text, numbers) => {
  expect(Object.fromEntries(inspectJson(text).numbers)).toEqual(numbers);
});

test("every number of an object is found, with the value that JSON.parse returns", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.jsonValue())),
      (value) => {
        const expected = Object.entries(value).filter(([, entry]) => typeof entry === "number");
        const found = [...inspectJson(JSON.stringify(value)).numbers].map(([name, literal]) => [name, Number(literal)]);
        expect(found).toEqual(expected.map(([name, entry]) => [name, JSON.parse(JSON.stringify(entry))]));
      },
    ),
  );
});
