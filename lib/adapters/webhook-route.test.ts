import { describe, expect, test } from "vitest";
import { type Cidr, parseCidr } from "#lib/domain/cidr.ts";
import { PUBLIC_TARGETS } from "#lib/domain/public-address.ts";
import { cacheNames, findRoute } from "./webhook-route.ts";

const url = "https://hooks.example/x";
const found = (
  addresses: readonly string[],
  request: { target?: string | null; failures?: number; url?: string } = {},
) => findRoute({ url, target: null, failures: 0, ...request }, PUBLIC_TARGETS, async () => addresses);

describe("the target address of a webhook", () => {
  test("is an IPv4 address if there is one, the same for every process", async () => {
    const expected = { address: "8.8.4.4", target: "8.8.4.4" };
    expect(await found(["2606:4700::1", "8.8.8.8", "8.8.4.4"])).toEqual(expected);
    expect(await found(["8.8.4.4", "8.8.8.8", "2606:4700::1"])).toEqual(expected);
  });

  test("stays while the host has it, and changes once it does not", async () => {
    expect(await found(["8.8.4.4", "8.8.8.8"], { target: "8.8.8.8" })).toMatchObject({ address: "8.8.8.8" });
    expect(await found(["8.8.4.4"], { target: "8.8.8.8" })).toMatchObject({ address: "8.8.4.4" });
  });

  test("changes after each failure", async () => {
    const tried = await Promise.all([0, 1, 2].map((failures) => found(["8.8.4.4", "8.8.8.8"], { failures })));
    expect(tried.map(({ address }) => address)).toEqual(["8.8.4.4", "8.8.8.8", "8.8.4.4"]);
  });

  test("counts as its /64 in IPv6, and in its canonical form", async () => {
    const target = "2606:4700::/64";
    expect(await found(["2606:4700::1"])).toEqual({ address: "2606:4700::1", target });
    expect(await found(["2606:4700::2"], { target })).toEqual({ address: "2606:4700::2", target });
    expect(await found([], { url: "https://[2606:4700::3]/" })).toMatchObject({ target });
    expect(await found([], { url: "https://134744072/" })).toMatchObject({ target: "8.8.8.8" });
  });

  test("is never a forbidden one", async () => {
    await expect(found(["10.0.0.1", "::1"])).rejects.toThrow("private or reserved");
    await expect(found([])).rejects.toThrow("private or reserved");
  });

  test("of IPv4 written as IPv6 counts as the IPv4 address", async () => {
    const rules = { allowHttp: true, allowedCidrs: [parseCidr("127.0.0.0/8") as Cidr] };
    const route = findRoute({ url: "http://[::ffff:127.0.0.1]/", target: null, failures: 0 }, rules, async () => []);
    expect(await route).toMatchObject({ target: "127.0.0.1" });
  });
});

test("a resolved name is cached for a while, a failure is not", async () => {
  let asked = 0;
  const resolve = cacheNames(async () => {
    asked += 1;
    if (asked === 1) throw new Error("no answer");
    return ["8.8.8.8"];
  });
  await expect(resolve("a.example")).rejects.toThrow("no answer");
  expect([await resolve("a.example"), await resolve("a.example"), asked]).toEqual([["8.8.8.8"], ["8.8.8.8"], 2]);
});
