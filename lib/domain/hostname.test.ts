import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseHostname } from "./hostname.ts";

const label63 = "a".repeat(63);
const longest = [label63, label63, label63, "a".repeat(61)].join(".");

describe("parseHostname", () => {
  test("contract 1.8: every RFC 1123 name is accepted and lower-cased", () => {
    fc.assert(
      fc.property(fc.domain(), (name) => {
        expect(parseHostname(name.toUpperCase())).toBe(name.toLowerCase());
      }),
    );
    for (const name of ["localhost", "a", "9", "1a.2b", "xn--bcher-kva.example", "a-b.c--d", label63, longest]) {
      expect(parseHostname(name)).toBe(name);
    }
  });

  test.each([
    ...["", ".", "a.", ".a", "a..b", "-a", "a-", "a.-b", "a_b", "a b", " a", "a ", "a\n", "a\0", "bücher.example"],
    ...["192.0.2.1", "::1", "a:80", "http://a", "*.a", "\u212aelvin", `${label63}a`, `${longest}a`],
  ])("contract 1.8: %j is no host name", (text) => {
    expect(parseHostname(text)).toBeNull();
  });

  test("contract 1.8: hostile input is rejected quickly", () => {
    expect(parseHostname("a-".repeat(1_000_000))).toBeNull();
  });
});
