import { describe, expect, test } from "vitest";
import { z } from "zod";
import { askIfMeant, meantAddress, serverAddress } from "./fields.ts";

const schema = z.object({ ip_address: serverAddress, meant_address: meantAddress }).check(askIfMeant("ip_address"));

function problemsOf(ip_address: string, meant_address: string): Record<string, string> {
  const { error } = schema.safeParse({ ip_address, meant_address });
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]));
}

describe("an address for which something is charged (contract 1.8)", () => {
  test.each(["10.0.0.5", "172.16.0.1", "192.168.1.1", "100.64.0.1", " 10.0.0.5 "])(
    "that is private, such as %j, is asked about until it is said to be meant",
    (address) => {
      const asked = { meant_address: expect.stringContaining(`${address.trim()} is a private address`) };
      expect(problemsOf(address, "")).toEqual(asked);
      expect(problemsOf(address, "10.0.0.6")).toEqual(asked);
      expect(problemsOf(address, address.trim())).toEqual({});
    },
  );

  test.each(["203.0.113.7", "11.0.0.1"])("that is public, such as %s, is not", (address) => {
    expect(problemsOf(address, "")).toEqual({});
  });

  test.each(["127.0.0.1", "1.2.3", ""])(
    "that no license can have, such as %j, is refused whatever is said",
    (address) => {
      expect(Object.keys(problemsOf(address, address))).toEqual(["ip_address"]);
    },
  );
});
