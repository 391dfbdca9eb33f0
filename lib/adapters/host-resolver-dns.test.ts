import { expect, test } from "vitest";
import { createDnsHostResolver } from "./host-resolver-dns.ts";

const failing = (code: string) => async () => {
  throw Object.assign(new Error(code), { code });
};

test("distinguishes addresses, a missing name, and no answer", async () => {
  const found = createDnsHostResolver(async () => ["203.0.113.7"]);
  expect(await found.resolve("web1.example.com")).toEqual({ kind: "found", addresses: ["203.0.113.7"] });
  expect(await createDnsHostResolver(failing("ENOTFOUND")).resolve("web1.example.com")).toEqual({ kind: "absent" });
  expect(await createDnsHostResolver(failing("ESERVFAIL")).resolve("web1.example.com")).toEqual({ kind: "unanswered" });
});

test("an unresponsive name server is waited for until the deadline", async () => {
  const silent = createDnsHostResolver(() => new Promise(() => {}), 20);
  expect(await silent.resolve("web1.example.com")).toEqual({ kind: "unanswered" });
});

test("concurrent lookups of a name share one query", async () => {
  const asked: string[] = [];
  const resolver = createDnsHostResolver(async (hostname) => {
    asked.push(hostname);
    return ["203.0.113.7"];
  });
  await Promise.all([resolver.resolve("a.example.com"), resolver.resolve("a.example.com")]);
  await resolver.resolve("a.example.com");
  await resolver.resolve("b.example.com");
  expect(asked).toEqual(["a.example.com", "b.example.com"]);
});
