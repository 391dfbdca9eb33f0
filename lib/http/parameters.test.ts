import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { DomainError } from "#lib/domain/errors.ts";
import type { Currency } from "#lib/domain/money.ts";
import { type ApiUser, type ApiWorld, newApiWorld, verdictOf } from "#tests/support/api.ts";
import { operations } from "./dispatch-api/interface.ts";
import type { Endpoint } from "./endpoint.ts";
import { JsonNumber } from "./json-number.ts";
import { parameter, parseParameters } from "./parameters.ts";
import { pathTargets } from "./path-api/interface.ts";

let world: ApiWorld;
let user: ApiUser;
beforeAll(async () => {
  world = await newApiWorld();
  user = await world.user();
});
afterAll(() => world.close());

const endpoints: Endpoint[] = [
  ...operations,
  ...Object.values(pathTargets).flatMap((methods) => Object.values(methods)),
];
const fields = endpoints.flatMap(({ name, schemaFor }) =>
  Object.entries(schemaFor("USD" as Currency).shape).map(([field, type]) => ({ name, field, type: type as z.ZodType })),
);

function problemOf(type: z.ZodType, value: unknown): string {
  try {
    parseParameters(z.object({ field: type }), { field: value });
    return "accepted";
  } catch (error) {
    return (error as DomainError).details?.field ?? (error as DomainError).code;
  }
}

describe("contract 1.8: an integer in JSON", () => {
  const suspend = (literal: string) => user.dispatch("license.suspend", { json: `{"license_id":${literal}}` });

  test.each([
    ...["0", "-1", "-0", "1.0", "1.5", "1e3", "1E0", "10e-1", "2147483648", "12345678901234567890", "1e999"],
    ...['"1.0"', '"01"', '"+1"', '"1e3"', '" 1"', "true", "[1]", '{"a":1}'],
  ])("is not %s", async (literal) => {
    const answer = await suspend(literal);
    expect(verdictOf(answer)).toBe("400 INVALID_PARAMETER");
    expect(answer.body.details).toEqual({ license_id: "must be a whole number from 1 to 2147483647" });
  });

  test.each(["1", " 2147483647 ", '"2147483647"'])("is %s", async (literal) => {
    expect(verdictOf(await suspend(literal))).toBe("404 LICENSE_NOT_FOUND");
  });

  test.each([
    ...["0", "-1", "33", '"33"', "99999999999999999999"].map((cores) => [cores, "CORE_CHANGE_FAILED"]),
    ...['"abc"', "1.5", '"01"', '"1e1"', "4.0", "true", '"-0"'].map((cores) => [cores, "INVALID_PARAMETER"]),
  ])("of %s cores is %s (contract 3.2)", async (cores, code) => {
    const answer = await user.dispatch("license.change_core", { json: `{"license_id":1,"cores":${cores}}` });
    expect(verdictOf(answer)).toBe(`400 ${code}`);
    expect(answer.body.details).toEqual({ cores: "must be a whole number from 1 to 32" });
  });

  test("beyond the field's range is rejected with its limits", async () => {
    const listed = await user.dispatch("license.list", { query: { limit: 1001 } });
    expect(verdictOf(listed)).toBe("400 INVALID_PARAMETER");
    expect(listed.body.details).toEqual({ limit: "must be a whole number from 1 to 1000" });
  });
});

describe("contract 1.8: JSON null", () => {
  test("of an optional parameter means absent", async () => {
    const { productId: product_id, cycleId: cycle_id } = await world.offer(user.id, "control_panel");
    const ip_address = world.freshIp();
    const registered = await user.dispatch("license.register", {
      json: JSON.stringify({ product_id, cycle_id, ip_address, notes: null }),
    });
    expect(verdictOf(registered)).toBe("200");
    const { license_id, license_key } = registered.body.data;
    expect((await user.dispatch("license.info", { query: { license_id } })).body.data.notes).toBe("");
    for (const [endpoint, fields] of [
      ["license.suspend", { license_id, reason: null }],
      ["license.renew", { license_id, cycle_id: null }],
    ] as const) {
      expect(verdictOf(await user.dispatch(endpoint, { json: JSON.stringify(fields) }))).toBe("200");
    }
    const json = JSON.stringify({ license_key, hostname: "a.example", ip_address: null });
    expect(verdictOf(await user.path("/license/update", { json }))).toBe("200");
  });

  test("of a required parameter means absent", async () => {
    const answer = await user.dispatch("license.renew", { json: '{"license_id":null}' });
    expect(verdictOf(answer)).toBe("400 MISSING_LICENSE_ID");
  });
});

describe("contract 1.8: addresses that licenses cannot be bound to", () => {
  const refused = [
    "0.0.0.0",
    "0.1.2.3",
    "127.0.0.1",
    "127.255.0.1",
    "169.254.1.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
  ];
  test.each(refused)("reject %s wherever an address is bound", async (address) => {
    const { licenseId: license_id, licenseKey: license_key } = await user.register();
    const { productId: product_id, cycleId: cycle_id } = await world.offer(user.id, "control_panel");
    const bundle = await world.bundleOffer(user.id);
    for (const [endpoint, form, field] of [
      ["license.register", { product_id, cycle_id, ip_address: address }, "ip_address"],
      ["license.change_ip", { license_id, new_ip: address }, "new_ip"],
      ["bundle.register", { bundle_id: bundle.bundleId, cycle_id: bundle.cycleId, ip_address: address }, "ip_address"],
      ["bundle.change_ip", { bundle_instance_id: 1, new_ip: address }, "new_ip"],
    ] as const) {
      const answer = await user.dispatch(endpoint, { form });
      expect([endpoint, verdictOf(answer), Object.keys(answer.body.details)]).toEqual([
        endpoint,
        "400 INVALID_IP_ADDRESS",
        [field],
      ]);
    }
    const update = await user.path("/license/update", { json: JSON.stringify({ license_key, ip_address: address }) });
    expect([verdictOf(update), Object.keys(update.body.details)]).toEqual(["400 INVALID_REQUEST", ["ip_address"]]);
    // Searching for one, or being seen on one, is not an error.
    const verify = await user.path("/license/verify", { json: JSON.stringify({ license_key, ip_address: address }) });
    expect([verdictOf(verify), verify.body.code]).toEqual(["200", "IP_MISMATCH"]);
    expect(verdictOf(await user.path("/license/status", { query: { ip_address: address } }))).toBe("404 NOT_FOUND");
  });

  test.each(["10.0.0.9", "172.16.5.1", "192.168.1.9", "100.64.0.9"])("accept private %s", async (address) => {
    const { productId: product_id, cycleId: cycle_id } = await world.offer(user.id, "control_panel");
    const registered = await user.dispatch("license.register", { form: { product_id, cycle_id, ip_address: address } });
    expect(verdictOf(registered)).toBe("200");
  });
});

test.each(fields)("$name: errors about $field use our own wording for any input", ({ type }) => {
  for (const value of [true, {}, [], [5], new JsonNumber("1e3"), "\u0007 -", "x".repeat(2_000)]) {
    expect(problemOf(type, value)).toMatch(/^(accepted|not_found|(must|is) [^<>]+)$/);
  }
  expect(problemOf(type, undefined)).toMatch(/^(accepted|is required)$/);
});

test("every parameter that binds an address uses the schema for license addresses (contract 1.8)", () => {
  const binding = fields.filter(
    ({ name, field }) => field === "new_ip" || (field === "ip_address" && /register$|update$/.test(name)),
  );
  expect(binding.map(({ name }) => name)).toEqual([
    "license.register",
    "license.change_ip",
    "bundle.register",
    "bundle.change_ip",
    "license.update",
  ]);
  for (const { type } of binding)
    expect(problemOf(type, "127.0.0.1")).toBe(problemOf(parameter.licenseAddress, "127.0.0.1"));
});
