import fc from "fast-check";
import { expect, test } from "vitest";
import { cidrContains, parseCidr } from "./cidr.ts";
import { ipv4Number, parseIpv4 } from "./ipv4.ts";
import { ipv4FromNumber, parseIpv4Range } from "./ipv4-range.ts";

const address = fc.ipV4().map((text) => parseIpv4(text) ?? (expect.unreachable() as never));

test.each([
  ["203.0.113.7", "203.0.113.7", "203.0.113.7"],
  [" 203.0.113 ", "203.0.113.0", "203.0.113.255"],
  ["203.0.113.", "203.0.113.0", "203.0.113.255"],
  ["203.0.113.*", "203.0.113.0", "203.0.113.255"],
  ["10.1", "10.1.0.0", "10.1.255.255"],
  ["10", "10.0.0.0", "10.255.255.255"],
  ["203.0.113.77/24", "203.0.113.0", "203.0.113.255"],
  ["0.0.0.0/0", "0.0.0.0", "255.255.255.255"],
])("%j is %s to %s", (text, first, last) => expect(parseIpv4Range(text)).toEqual({ first, last }));

test.each(["", "web1", "256.1", "01.2", "10/8", "10.0.0.0/33", "1.2.3.4.5", "10..1", "*", "::1", "10.*.1"])(
  "%j is no range of addresses",
  (text) => expect(parseIpv4Range(text)).toBeNull(),
);

test("a CIDR range contains exactly the addresses of its network", () => {
  fc.assert(
    fc.property(address, fc.integer({ min: 0, max: 32 }), address, (network, bits, other) => {
      const text = `${network}/${bits}`;
      const range = parseIpv4Range(text);
      const cidr = parseCidr(text);
      if (!range || !cidr) return expect.unreachable();
      const number = ipv4Number(other);
      const inside = number >= ipv4Number(range.first) && number <= ipv4Number(range.last);
      expect(inside).toBe(cidrContains(cidr, other));
    }),
  );
});

test("addresses and numbers map one to one", () => {
  fc.assert(fc.property(address, (text) => void expect(ipv4FromNumber(ipv4Number(text))).toBe(text)));
  for (const number of [-1, 2 ** 32, 0.5, Number.NaN]) expect(ipv4FromNumber(number)).toBeNull();
});
