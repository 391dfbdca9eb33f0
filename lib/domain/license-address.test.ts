import { describe, expect, test } from "vitest";
import type { Ipv4 } from "./ipv4.ts";
import { describeAddressProblem, isPrivateAddress, parseLicenseAddress } from "./license-address.ts";

describe("parseLicenseAddress (contract 1.8)", () => {
  test.each([
    ["0.0.0.0", "0.255.255.255"],
    ["127.0.0.0", "127.255.255.255"],
    ["169.254.0.0", "169.254.255.255"],
    ["224.0.0.0", "255.255.255.255"],
  ])("refuses everything from %s to %s", (first, last) => {
    expect([parseLicenseAddress(first), parseLicenseAddress(last)]).toEqual([null, null]);
  });

  test.each([
    "1.0.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "223.255.255.255",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "192.0.2.10",
  ])("accepts %s", (address) => {
    expect(parseLicenseAddress(` ${address}\n`)).toBe(address);
  });

  test.each(["", "1.2.3", "01.2.3.4", "::1", "203.0.113.7/32"])("refuses %j, which is no IPv4 address", (text) => {
    expect(parseLicenseAddress(text)).toBeNull();
  });
});

describe("describeAddressProblem", () => {
  test.each(["", "1.2.3", "203.0.113.07", "::1"])("says of %j what an address looks like", (text) => {
    expect(describeAddressProblem(text)).toBe("must be an IPv4 address such as 203.0.113.7");
  });

  test.each(["0.0.0.1", "127.0.0.1", "169.254.1.1", "224.0.0.1"])(
    "names the networks for %s, which is in one",
    (text) => {
      expect(describeAddressProblem(text)).toMatch(/^must be outside of .*127\.0\.0\.0\/8/);
    },
  );
});

describe("isPrivateAddress (contract 1.8)", () => {
  test.each([
    ["10.0.0.0", "10.255.255.255"],
    ["172.16.0.0", "172.31.255.255"],
    ["192.168.0.0", "192.168.255.255"],
    ["100.64.0.0", "100.127.255.255"],
  ])("is true from %s to %s", (first, last) => {
    expect([first, last].map((address) => isPrivateAddress(address as Ipv4))).toEqual([true, true]);
  });

  test.each([
    "9.255.255.255",
    "11.0.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "192.167.255.255",
    "192.169.0.0",
  ])("is false for %s", (address) => {
    expect(isPrivateAddress(address as Ipv4)).toBe(false);
  });
});
