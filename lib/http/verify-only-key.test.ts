import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Scope } from "#lib/domain/scopes.ts";
import { includesScope } from "#lib/domain/scopes.ts";
import { closeRuntime } from "#lib/runtime.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { operations } from "./dispatch-api/interface.ts";
import { pathTargets } from "./path-api/interface.ts";
import { apiFetch } from "./route-table.ts";

/** Source address of all requests here, on which the reseller has a license. */
const OWN = "198.51.100.7";
const OTHERS = "198.51.100.8";

let world: World;
let reseller: ResellerWorld;
let own: { readonly licenseId: number; readonly licenseKey: string };
let others: { readonly licenseId: number; readonly licenseKey: string };

beforeAll(async () => {
  world = await newWorld();
  Object.assign(process.env, { DATABASE_URL: world.url, API_KEY_PEPPER: PEPPER, LOG_LEVEL: "silent" });
  reseller = await world.reseller();
  own = await reseller.register({ ip: OWN });
  others = await reseller.register({ ip: OTHERS });
});
afterAll(async () => {
  await closeRuntime();
  await world.close();
});

async function newKey(...scopes: Scope[]): Promise<string> {
  const made = await createResellerApiKey(world.operator, { resellerId: reseller.id, name: "test", scopes });
  return made.apiKey;
}

async function get(apiKey: string, target: string): Promise<string> {
  const request = new Request(`http://desk.test${target}`, {
    headers: { authorization: `Bearer ${apiKey}`, "x-api-key": apiKey },
  });
  const response = await apiFetch(request, { peerAddress: OWN, target });
  const body = (await response.json()) as { code?: string; ip?: string };
  return body.ip ?? `${response.status} ${body.code}`;
}

const status = (apiKey: string, query: string) => get(apiKey, `/api/v1/license/status${query}`);

test("contract 1.14: of all operations, a key with only licenses:verify can call two, and ask about itself", () => {
  const all = [...Object.values(pathTargets).flatMap((methods) => Object.values(methods)), ...operations];
  const open = all.filter(({ scope }) => scope === null || includesScope(["licenses:verify"], scope));
  expect(open.map(({ name }) => name).toSorted()).toEqual(["license.status", "license.verify", "me", "me.get"]);
});

describe("contract 1.14: license/status under a key with only licenses:verify", () => {
  test("works for a license key, and for the caller's own source address", async () => {
    const apiKey = await newKey("licenses:verify");
    expect(await status(apiKey, `?license_key=${others.licenseKey}`)).toBe(OTHERS);
    expect(await status(apiKey, "")).toBe(OWN);
    expect(await status(apiKey, `?ip_address=${OWN}`)).toBe(OWN);
    expect(await status(apiKey, `?ip_address=%20${OWN}%09`)).toBe(OWN);
  });

  test("is FORBIDDEN for any other selector, whether or not it matches a license", async () => {
    const apiKey = await newKey("licenses:verify");
    for (const query of [
      `license_id=lic_${others.licenseId}`,
      `license_id=${own.licenseId}`,
      "license_id=2147483647",
      "license_id=nonsense",
      `ip_address=${OTHERS}`,
      "ip_address=203.0.113.1",
      "ip_address=nonsense",
    ]) {
      expect(`${query} ${await status(apiKey, `?${query}`)}`).toBe(`${query} 403 FORBIDDEN`);
    }
    expect(await get(apiKey, `/api/v1/?endpoint=license.info&license_id=${own.licenseId}`)).toBe("403 NO_PERMISSION");
  });

  test("works for every selector once the key has licenses:read as well", async () => {
    const apiKey = await newKey("licenses:read");
    expect(await status(apiKey, `?license_id=lic_${others.licenseId}`)).toBe(OTHERS);
    expect(await status(apiKey, `?ip_address=${OTHERS}`)).toBe(OTHERS);
    expect(await status(apiKey, "?ip_address=nonsense")).toBe("400 INVALID_REQUEST");
  });
});
