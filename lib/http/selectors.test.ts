import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiUser, type ApiWorld, newApiWorld, SOURCE, verdictOf } from "#tests/support/api.ts";

let world: ApiWorld;
let user: ApiUser;
let own: Awaited<ReturnType<ApiUser["register"]>>;
/** Two licenses of different products on one address. */
const SHARED = "198.51.100.8";
let shared: number[];

beforeAll(async () => {
  world = await newApiWorld();
  user = await world.user();
  own = await user.register({ ip: SOURCE });
  const twins = [await user.register({ ip: SHARED }), await user.register({ ip: SHARED, type: "web_server" })];
  shared = twins.map(({ licenseId }) => licenseId);
});
afterAll(() => world.close());

const status = (query: string, source = SOURCE) => user.path(`/license/status${query}`, { source });
const selectors = {
  "/license/status": ["license_key", "license_id", "ip_address"],
  "/diagnostics": ["license_key", "license_id", "ip_address", "server"],
};

describe("contract 2.1: GET /license/status", () => {
  test("selects by license_key, else license_id, else ip_address, and without a query by the caller's address", async () => {
    const [first, second] = shared;
    for (const [query, ip] of [
      ["", SOURCE],
      [`?license_id=${own.licenseId}`, SOURCE],
      [`?license_id=lic_${first}`, SHARED],
      [`?ip_address=${SHARED}&license_id=${own.licenseId}`, SOURCE],
      [`?ip_address=${SHARED}&license_id=${second}&license_key=${own.licenseKey}`, SOURCE],
    ]) {
      expect([query, (await status(query ?? "")).body.ip]).toEqual([query, ip]);
    }
  });

  test("with several licenses on the address names each candidate, and type narrows them", async () => {
    const several = await status(`?ip_address=${SHARED}`);
    expect(verdictOf(several)).toBe("400 INVALID_REQUEST");
    expect(Object.keys(several.body.details)).toEqual(shared.map((id) => `lic_${id}`));
    expect(verdictOf(await status("", SHARED))).toBe("400 INVALID_REQUEST");
    for (const type of ["control_panel", "web_server"]) {
      expect((await status(`?ip_address=${SHARED}&type=${type}`)).body).toMatchObject({ ip: SHARED, type });
      expect((await status(`?type=${type}&ip_address=${SHARED}`, SHARED)).body).toMatchObject({ ip: SHARED, type });
    }
  });

  test("finds nothing if type differs from the license's", async () => {
    for (const selector of [`license_key=${own.licenseKey}`, `license_id=${own.licenseId}`, `ip_address=${SOURCE}`]) {
      expect(verdictOf(await status(`?${selector}&type=web_server`))).toBe("404 NOT_FOUND");
      expect(verdictOf(await status(`?${selector}&type=nothing`))).toBe("404 NOT_FOUND");
      expect(verdictOf(await status(`?${selector}&type=control_panel`))).toBe("200");
    }
  });

  test("requires an ip_address from a caller over IPv6", async () => {
    const answer = await status("", "2001:db8::7");
    expect(verdictOf(answer)).toBe("400 INVALID_REQUEST");
    expect(answer.body.details).toEqual({ ip_address: expect.stringContaining("2001:db8::7") });
    expect((await status(`?ip_address=${SOURCE}`, "2001:db8::7")).body.ip).toBe(SOURCE);
    expect((await status("", `::ffff:${SOURCE}`)).body.ip).toBe(SOURCE);
  });
});

describe.each(Object.entries(selectors))("a query of GET %s with any other name (contract 2.1, 2.5)", (path, names) => {
  test.each([
    "?licence_key=LIC-00000-00000-00000-00000",
    "?LICENSE_KEY=LIC-00000-00000-00000-00000",
    "?license_key=",
    "?license_id=",
    "?ip_address=",
    "?x",
    "?endpoint=license.info",
    "?ip_address=198.51.100.7&licence_id=1",
    "?ip_address=198.51.100.7&license_id=",
    "?=1",
  ])("such as %s is INVALID_REQUEST, and details name the selectors", async (query) => {
    const answer = await user.path(`${path}${query}`);
    expect(verdictOf(answer)).toBe("400 INVALID_REQUEST");
    expect(Object.keys(answer.body.details)).toEqual(names);
    for (const name of names) expect(answer.body.message).toContain(name);
  });

  test("such as a filter without a selector, too", async () => {
    const answer = await user.path(`${path}?type=control_panel`);
    expect(verdictOf(answer)).toBe("400 INVALID_REQUEST");
    expect(Object.keys(answer.body.details)).toEqual(names);
  });
});

test("the unknown parameter is named, whatever it is", async () => {
  const { body } = await user.path(`/license/status?${encodeURIComponent(`"\u0001${"x".repeat(500)}`)}=1`);
  expect(body.message).toMatch(
    /^"\\"\\u0001x+" is not a parameter here\. Choose by license_key, license_id or ip_address\.$/,
  );
  expect(body.message.length).toBeLessThan(300);
});
