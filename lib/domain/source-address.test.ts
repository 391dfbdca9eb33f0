import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCidr } from "./cidr.ts";
import { rateLimitSource, sourceAddress } from "./source-address.ts";

const trustedProxies = ["10.0.0.0/8", "fd00::/8"].flatMap((text) => parseCidr(text) ?? []);
const from = (peer: string, forwardedFor?: string | null) => sourceAddress({ peer, forwardedFor, trustedProxies });

describe("sourceAddress", () => {
  test("contract 1.6: a header from anyone but a trusted proxy changes nothing", () => {
    fc.assert(
      fc.property(fc.string(), (forged) => {
        expect(from("203.0.113.7", forged)).toBe("203.0.113.7");
        expect(sourceAddress({ peer: "10.0.0.1", forwardedFor: forged, trustedProxies: [] })).toBe("10.0.0.1");
      }),
    );
  });

  test("contract 1.6: behind trusted proxies it is the right-most address that is not one of them", () => {
    expect(from("10.0.0.1", "203.0.113.7")).toBe("203.0.113.7");
    expect(from("10.0.0.1", "6.6.6.6, 203.0.113.7")).toBe("203.0.113.7");
    expect(from("::ffff:10.0.0.1", "6.6.6.6,203.0.113.7 , 10.0.0.2,fd00::9")).toBe("203.0.113.7");
    expect(from("10.0.0.1", "6.6.6.6, 203.0.113.7, ,")).toBe("203.0.113.7");
  });

  test("contract 1.6: the address appended by the proxy decides, whatever the client prepends", () => {
    fc.assert(
      fc.property(fc.string(), (forged) => {
        expect(from("10.0.0.1", `${forged},203.0.113.7`)).toBe("203.0.113.7");
      }),
    );
  });

  test("contract 1.6: a client has one address in any notation", () => {
    expect(from("::ffff:203.0.113.7")).toBe("203.0.113.7");
    expect(from("10.0.0.1", "::ffff:203.0.113.7")).toBe("203.0.113.7");
    expect(from("10.0.0.1", "2001:DB8:0:0::1")).toBe("2001:db8::1");
    expect(from("10.0.0.1", "203.0.113.7:4711")).toBe("203.0.113.7");
    expect(from("10.0.0.1", "[2001:db8::1]:4711")).toBe("2001:db8::1");
  });

  test("contract 1.6: the walk ends at the last address that a trusted proxy vouched for", () => {
    expect(from("10.0.0.1", "6.6.6.6, unknown")).toBe("10.0.0.1");
    expect(from("10.0.0.1", "6.6.6.6, unknown, 10.0.0.2")).toBe("10.0.0.2");
    expect(from("10.0.0.1", "10.0.0.3, 10.0.0.2")).toBe("10.0.0.3");
    expect(from("10.0.0.1", " , ,")).toBe("10.0.0.1");
    expect(from("10.0.0.1", "")).toBe("10.0.0.1");
    expect(from("10.0.0.1", null)).toBe("10.0.0.1");
  });

  test("contract 1.6: a peer without an IP address (a Unix socket) is itself, and not trusted", () => {
    expect(from("", "203.0.113.7")).toBe("");
  });
});

describe("rateLimitSource", () => {
  test("contract 1.3: an IPv4 address counts by itself, and so does an invalid one", () => {
    for (const source of ["203.0.113.7", "", "unreadable"]) expect(rateLimitSource(source)).toBe(source);
  });

  test("contract 1.3: all addresses of an IPv6 /64 count as one source, and those of another /64 as another", () => {
    const part = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    const host = fc.array(part, { minLength: 4, maxLength: 4 }).map((parts) => parts.join(":"));
    fc.assert(
      fc.property(host, host, (one, other) => {
        const within = (network: string, rest: string) => rateLimitSource(`${network}:${rest}`);
        expect(within("2001:db8:1:2", one)).toBe(within("2001:db8:1:2", other));
        expect(within("2001:db8:1:2", one)).not.toBe(within("2001:db8:1:3", one));
      }),
    );
    expect(rateLimitSource("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
    expect(rateLimitSource("2001:db8::1")).toBe("2001:db8::/64");
    expect(rateLimitSource("::1")).toBe("::/64");
  });
});
