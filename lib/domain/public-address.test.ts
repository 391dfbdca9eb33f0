import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cidr, parseCidr } from "./cidr.ts";
import { isAllowedTarget, isPublicUnicast } from "./public-address.ts";

const refused: Record<string, readonly string[]> = {
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  "link-local": ["169.254.0.1", "fe80::1", "fe80::1%eth0"],
  "cloud metadata": ["169.254.169.254", "fd00:ec2::254"],
  "shared (CGNAT)": ["100.64.0.1", "100.127.255.254"],
  "unique local": ["fc00::1", "fdff::1"],
  "IPv4 mapped into IPv6": ["::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::FFFF:10.0.0.1", "0:0:0:0:0:ffff:7f00:1"],
  "IPv4-compatible": ["::127.0.0.1", "::a00:1"],
  NAT64: ["64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1"],
  "6to4": ["2002:7f00:1::", "2002:808:808::1"],
  Teredo: ["2001:0:808:808::1"],
  documentation: ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
  benchmarking: ["198.18.0.1", "198.19.255.255", "2001:2::1"],
  multicast: ["224.0.0.1", "239.255.255.255", "ff02::1"],
  broadcast: ["255.255.255.255"],
  unspecified: ["0.0.0.0", "0.1.2.3", "::"],
  reserved: ["240.0.0.1", "192.0.0.1", "192.88.99.1", "100::1", "4000::1", "fec0::1", "5f00::1"],
  "AS112 and AMT": ["192.31.196.1", "192.52.193.1", "192.175.48.1", "2001:3::1", "2001:4:112::1"],
  "other special parts of 2001::/23": ["2001:1::1", "2001:10::1", "2001:20::1", "2001:1ff::1"],
  "no address": ["", "example.com", "127.1", "0x7f000001", "2130706433", "1.2.3", "1.2.3.4.5", "g::1"],
};

for (const [what, addresses] of Object.entries(refused)) {
  test.each(addresses)(`${what} is not public: %s (contract 4.4)`, (address) => {
    expect(isPublicUnicast(address)).toBe(false);
  });
}

test.each([
  "8.8.8.8",
  "1.1.1.1",
  "172.15.255.255",
  "172.32.0.1",
  "100.63.255.255",
  "2606:4700:4700::1111",
  "2a00:1450::1",
])("%s is public (contract 4.4)", (address) => {
  expect(isPublicUnicast(address)).toBe(true);
});

test("nothing in the private ranges is public, and mapping into IPv6 changes no verdict", () => {
  const octet = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(octet, octet, octet, octet), ([a, b, c, d]) => {
      const address = [a, b, c, d].join(".");
      const special = [0, 10, 127].includes(a) || a >= 224;
      if (special) expect(isPublicUnicast(address)).toBe(false);
      expect(isPublicUnicast(`::ffff:${address}`)).toBe(isPublicUnicast(address));
    }),
  );
});

describe("WEBHOOK_ALLOW_CIDRS", () => {
  const rules = { allowHttp: false, allowedCidrs: ["127.0.0.0/8", "fd00::/8"].map((text) => parseCidr(text) as Cidr) };

  test.each(["127.0.0.1", "::ffff:127.0.0.1", "fd12::1", "8.8.8.8"])("lets %s through", (address) => {
    expect(isAllowedTarget(address, rules)).toBe(true);
  });
  test.each(["10.0.0.1", "169.254.169.254", "::1", "fc00::1"])("is the one exception: not %s", (address) => {
    expect(isAllowedTarget(address, rules)).toBe(false);
  });
});
