import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCidrContains, type Cidr, cidrContains, normalizeAddress, parseCidr } from "./cidr.ts";
import { parseIpv4 } from "./ipv4.ts";

function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed === null) throw new Error(`${text} is not a range`);
  return parsed;
}

describe("parseIpv4", () => {
  test("contract 1.8: every address of four decimal octets is accepted, white space trimmed", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom("", " ", "\t\n", "  "), (address, space) => {
        expect(parseIpv4(`${space}${address}${space}`)).toBe(address);
      }),
    );
  });

  test.each([
    ...["", " ", "1", "1.2.3", "1.2.3.", ".1.2.3", "1..2.3", "1.2.3.4.", "1.2.3.4.5", "256.1.1.1", "1.1.1.999"],
    ...["01.2.3.4", "1.2.3.00", "0x1.2.3.4", "1.2.3.-4", "+1.2.3.4", "1e1.2.3.4", "1. 2.3.4", "1.2.3.4/32"],
    ...["1.2.3.4\0", "\x001.2.3.4", "1.2.3.4:80", "::1", "::ffff:1.2.3.4", "١.2.3.4", "localhost", "16909060"],
  ])("contract 1.8: %j is no IPv4 address", (text) => {
    expect(parseIpv4(text)).toBeNull();
  });
});

describe("normalizeAddress", () => {
  test.each([
    ["1.2.3.4", "1.2.3.4"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["::FFFF:0102:0304", "1.2.3.4"],
    ["0:0:0:0:0:ffff:255.255.255.255", "255.255.255.255"],
    ["::1.2.3.4", "::102:304"],
    ["2001:0DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["::", "::"],
  ])("contract 1.6: %s is known as %s", (text, expected) => {
    expect(normalizeAddress(text)).toBe(expected);
  });

  test.each([
    "",
    "1.2.3",
    "::ffff:01.2.3.4",
    "::ffff:1.2.3",
    "1:2",
    "g::1",
    "::1::2",
    "12345::",
    "[::1]",
    ":",
    "a",
    "%",
  ])("contract 1.6: %j is no address", (text) => {
    expect(normalizeAddress(text)).toBeNull();
  });

  test("contract 1.6: normalizing twice changes nothing, and a mapped address is its IPv4 address", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const once = normalizeAddress(text);
        expect(once).not.toBeNull();
        expect(normalizeAddress(once ?? "")).toBe(once);
      }),
    );
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        expect(normalizeAddress(`::ffff:${text}`)).toBe(text);
      }),
    );
  });
});

describe("parseCidr", () => {
  test.each([
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["10.1.2.3/8", "10.0.0.0/8"],
    [" 10.1.2.3 ", "10.1.2.3/32"],
    ["255.255.255.255/1", "128.0.0.0/1"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8:1::1/32", "2001:db8::/32"],
    ["::1", "::1/128"],
    ["::/0", "::/0"],
    ["2001:db8::ffff/121", "2001:db8::ff80/121"],
    ["::ffff:10.0.0.0/104", "10.0.0.0/8"],
    ["::ffff:10.0.0.1", "10.0.0.1/32"],
    ["::ffff:0:0/90", "::ffc0:0:0/90"],
  ])("contract 1.13: %s is the range %s", (text, expected) => {
    expect(cidr(text).text).toBe(expected);
    expect(cidr(expected)).toEqual(cidr(text));
  });

  test.each([
    "",
    "/8",
    "10/8",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/08",
    "10.0.0.0/8/8",
    "::/129",
    "10.0.0.0/-1",
    "x/8",
  ])("contract 1.13: %j is not a range", (text) => {
    expect(parseCidr(text)).toBeNull();
  });
});

describe("cidrContains", () => {
  test("contract 1.13: an IPv4 range holds exactly the addresses that share its leading bits", () => {
    const bits = (address: string) =>
      address
        .split(".")
        .map((octet) => Number(octet).toString(2).padStart(8, "0"))
        .join("");
    const nearby = fc.tuple(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.boolean());
    fc.assert(
      fc.property(nearby, ([base, other, prefixLength, share]) => {
        const address = share ? base.replace(/\d+$/, other.slice(other.lastIndexOf(".") + 1)) : other;
        const expected = bits(base).slice(0, prefixLength) === bits(address).slice(0, prefixLength);
        expect(cidrContains(cidr(`${base}/${prefixLength}`), address)).toBe(expected);
        expect(cidrContains(cidr(`${base}/${prefixLength}`), `::ffff:${address}`)).toBe(expected);
      }),
    );
  });

  test("contract 1.13: IPv6 ranges hold IPv6 addresses alone", () => {
    expect(cidrContains(cidr("2001:db8::/33"), "2001:db8:7fff:ffff::1")).toBe(true);
    expect(cidrContains(cidr("2001:db8::/33"), "2001:db8:8000::1")).toBe(false);
    expect(cidrContains(cidr("2001:db8::7/128"), "2001:0db8::0007")).toBe(true);
    expect(cidrContains(cidr("::/0"), "fe80::1%eth0")).toBe(true);
    expect(cidrContains(cidr("::/0"), "1.2.3.4")).toBe(false);
    expect(cidrContains(cidr("0.0.0.0/0"), "::1")).toBe(false);
  });

  test("contract 1.13: an invalid address is in no range, and an empty list contains nothing", () => {
    expect(cidrContains(cidr("0.0.0.0/0"), "nonsense")).toBe(false);
    expect(anyCidrContains([cidr("0.0.0.0/0")], "")).toBe(false);
    expect(anyCidrContains([], "1.2.3.4")).toBe(false);
    expect(anyCidrContains([cidr("::1"), cidr("1.2.3.0/24")], "1.2.3.4")).toBe(true);
    expect(anyCidrContains([cidr("::1"), cidr("1.2.3.0/24")], "1.2.4.4")).toBe(false);
  });
});
