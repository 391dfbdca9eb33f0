import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { grants, parseScopes, scopes } from "./scopes.ts";

const anyScopes = fc.subarray([...scopes]);

describe("scopes", () => {
  test("contract 1.14: a scope grants itself, licenses:read grants licenses:verify too, and nothing else is granted", () => {
    fc.assert(
      fc.property(anyScopes, fc.constantFrom(...scopes), (held, needed) => {
        const implied = needed === "licenses:verify" && held.includes("licenses:read");
        expect(grants(held, needed)).toBe(held.includes(needed) || implied);
        expect(grants(new Set(held), needed)).toBe(grants(held, needed));
      }),
    );
  });

  test("contract 1.14: a key that only verifies can do nothing but verify", () => {
    expect(scopes.filter((scope) => grants(["licenses:verify"], scope))).toEqual(["licenses:verify"]);
  });

  test("contract 1.14: names of scopes are read in any order and repetition, unknown ones refused", () => {
    fc.assert(
      fc.property(anyScopes, (held) => {
        expect(parseScopes([...held, ...held].reverse())).toEqual(held);
      }),
    );
    expect(parseScopes(["licenses:read", "licenses:Write"])).toBeNull();
    expect(parseScopes(["toString"])).toBeNull();
    expect(parseScopes([])).toEqual([]);
  });
});
