import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildDocument } from "./openapi/document.ts";
import { findBroken, listPromises } from "./openapi/promises.ts";

const file = join(import.meta.dirname, "..", "docs", "api-promises.txt");
const released = readFileSync(file, "utf8").trimEnd().split("\n");
const current = listPromises(buildDocument());

test("no promise of the last release is broken (docs/versioning.md)", () => {
  expect(released.length).toBeGreaterThan(1_000);
  expect(findBroken(released, current)).toEqual([]);
});

describe("a breaking change is found", () => {
  const without = (part: string) => current.filter((promise) => !promise.includes(part));
  test.each([
    ["an operation is gone", without("/dispatch/license.renew "), /license\.renew exists/],
    [
      "a field is gone",
      without("license.info 200 always data.license_key "),
      /license\.info 200 always data\.license_key/,
    ],
    [
      "a field is not always there any more",
      current.map((promise) => promise.replace("/me 200 always mode", "/me 200 maybe mode")),
      /\/me 200 always mode/,
    ],
    [
      "a field has another type",
      current.map((one) => one.replace(/(balance 200 always data.balance) number/, "$1 string")),
      /data\.balance number/,
    ],
    ["a parameter is gone", without("license.register takes notes"), /takes notes/],
    ["a value is not accepted any more", without("takes status=expired"), /takes status=expired/],
    [
      "a parameter is required now",
      [...current, "POST /dispatch/license.renew requires reason"],
      /^new: .*requires reason$/m,
    ],
    ["a status is gone", without("license.renew answers 409"), /answers 409/],
    [
      "an event lost a field",
      without("license.renewed always data.expires_at "),
      /^gone: webhook POST license\.renewed always data\.expires_at/m,
    ],
  ] as const)("%s", (what, changed, finding) => {
    const broken = findBroken(current, changed);
    expect(broken.join("\n"), what).toMatch(finding);
  });

  test("additions are none", () => {
    const added = [
      ...current.map((promise) =>
        promise.replace("license.info 200 maybe data.external_id", "license.info 200 always data.external_id"),
      ),
      "GET /new exists",
      "GET /new requires id",
      "GET /me 200 always data.more string",
    ];
    expect(findBroken(current, added)).toEqual([]);
  });
});
