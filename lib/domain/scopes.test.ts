import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { includesScope, parseScopes, scopes } from "./scopes.ts";

const anyScopes = fc.subarray([...scopes]);

describe("scopes", () => {
  test("contract 1.14: a scope grants itself, licenses:read also grants licenses:verify, and nothing else is granted", () => {
    fc.assert(
      fc.property(anyScopes, fc.constantFrom(...scopes), (held, needed) => {
        const implied = needed === "licenses:verify" && held.includes("licenses:read");
        expect(includesScope(held, needed)).toBe(held.includes(needed) || implied);
        expect(includesScope(new Set(held), needed)).toBe(includesScope(held, needed));
      }),
    );
  });

  test("contract 1.14: a verify-only key can only verify", () => {
    expect(scopes.filter((scope) => includesScope(["licenses:verify"], scope))).toEqual(["licenses:verify"]);
  });

  test("contract 1.14: scope names parse in any order and repetition; unknown ones are rejected", () => {
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
