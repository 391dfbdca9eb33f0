/** The examples in docs/contract/events.md run as written. */
import { spawnSync } from "node:child_process";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, test, vi } from "vitest";
import { blocksOf, codesIn, readSections } from "#tests/support/contract-documents.ts";

const sections = readSections("events");
const [introduction = expect.unreachable("the introduction")] = sections;
const verify = sections.find(({ title }) => title === "Verify a webhook") ?? expect.unreachable("Verify a webhook");
const secret = codesIn(verify.text).find((code) => /^whsec_.+/.test(code)) ?? "";
const [head = "", body = ""] = (blocksOf(introduction, "")[0] ?? "").trimEnd().split("\n\n");
const headers = Object.fromEntries(
  head
    .split("\n")
    .slice(1)
    .map((line) => line.split(": ", 2)),
);
const sentAtSeconds = Number(headers["webhook-timestamp"]);

afterEach(() => {
  vi.useRealTimers();
});

test("the example webhook is genuine by Standard Webhooks, under the secret of the example (contract 4.2)", () => {
  vi.useFakeTimers({ now: sentAtSeconds * 1_000 });
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(new Date(JSON.parse(body).timestamp).getTime()).toBe(sentAtSeconds * 1_000);
});

test("every example of a secret has 32 bytes (contract 4.2)", () => {
  const texts = [...readSections("events"), ...readSections("path-interface")].map(({ text }) => text).join("\n");
  const examples = [...texts.matchAll(/whsec_([A-Za-z0-9+/]+=*)/g)].map(([, encoded = ""]) => encoded);
  expect(examples.length).toBeGreaterThan(2);
  for (const encoded of examples) expect(Buffer.from(encoded, "base64")).toHaveLength(32);
});

const python = spawnSync("python3", ["--version"]).status === 0;

test.skipIf(!python)("the Python of the example takes it, and nothing else (needs python3; contract 4.2)", () => {
  const [code = ""] = blocksOf(verify, "python");
  const ask = `
import json, sys
case = json.load(sys.stdin)
time.time = lambda: case["now"]
print(is_genuine(case["secret"], case["headers"], case["body"].encode()))
`;
  const verdict = (change: object) => {
    const input = JSON.stringify({ secret, headers, body, now: sentAtSeconds, ...change });
    return spawnSync("python3", ["-c", code + ask], { input, encoding: "utf8" }).stdout.trim();
  };
  const both = `v1,${Buffer.alloc(32).toString("base64")} ${headers["webhook-signature"]}`;
  expect(verdict({})).toBe("True");
  expect(verdict({ headers: { ...headers, "webhook-signature": both } })).toBe("True");
  expect(verdict({ body: `${body} ` })).toBe("False");
  expect(verdict({ now: sentAtSeconds + 301 })).toBe("False");
  expect(verdict({ secret: `whsec_${Buffer.alloc(32, 9).toString("base64")}` })).toBe("False");
});
