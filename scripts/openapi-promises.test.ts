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
      "a code is gone",
      without("license.change_core answers 400 NOT_CORE_METERED"),
      /^gone: POST \/dispatch\/license\.change_core answers 400 NOT_CORE_METERED$/m,
    ],
    ["a code of every operation is gone", without("answers 409 IDEMPOTENCY_IN_PROGRESS"), /answers 409 IDEMPOTENCY/],
    [
      "a bound is narrower",
      current.map((one) => one.replace(/(GET \/licenses takes limit maximum) 1000/, "$1 999")),
      /^new: GET \/licenses takes limit maximum 999$/m,
    ],
    [
      "a parameter has a bound now",
      [...current, "GET /licenses takes status maxLength 9"],
      /^new: GET \/licenses takes status maxLength 9$/m,
    ],
    [
      "an event lost a field",
      without("license.renewed always data.expires_at "),
      /^gone: webhook POST license\.renewed always data\.expires_at/m,
    ],
  ] as const)("%s", (what, changed, finding) => {
    const broken = findBroken(current, changed);
    expect(broken.join("\n"), what).toMatch(finding);
  });

  test("an operation that is gone is one line", () => {
    const gone = current.filter((promise) => !promise.startsWith("POST /dispatch/license.renew "));
    expect(findBroken(current, gone)).toEqual(["gone: POST /dispatch/license.renew exists"]);
  });

  test("additions are none", () => {
    const added = [
      ...current
        .filter((promise) => !promise.startsWith("GET /licenses takes limit maximum "))
        .map((promise) =>
          promise.replace("license.info 200 maybe data.external_id", "license.info 200 always data.external_id"),
        ),
      "GET /licenses takes limit maximum 2000",
      "GET /new exists",
      "GET /new takes id integer",
      "GET /new takes id maximum 9",
      "GET /new requires id",
      "GET /me 200 always data.more string",
    ];
    expect(findBroken(current, added)).toEqual([]);
  });
});
