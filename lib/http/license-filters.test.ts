import { afterAll, beforeAll, expect, test } from "vitest";
import { createLicenseKey } from "#lib/domain/license-key.ts";
import { type ApiUser, type ApiWorld, newApiWorld } from "#tests/support/api.ts";
import type { listParameters } from "./license-list.ts";

let world: ApiWorld;
let user: ApiUser;
beforeAll(async () => {
  world = await newApiWorld();
  user = await world.user({ funds: "1000" });
  await user.register();
});
afterAll(() => world.close());

/** Of each filter, a value that the license does not match. */
const unmatched: Readonly<Record<Exclude<keyof typeof listParameters, "limit" | "cursor">, string>> = {
  status: "terminated",
  type: "none",
  ip_address: "198.51.100.99",
  license_key: createLicenseKey((count) => new Uint8Array(count)),
  external_id: "none",
  customer: "none",
  tag: "none",
  q: "none",
  expires_within: "1",
};

const listed = async (query: Readonly<Record<string, string>>) => [
  (await user.path("/licenses", { query })).body.licenses,
  (await user.dispatch("license.list", { query })).body.data.licenses,
];

test("without a filter, both interfaces list the license", async () => {
  expect((await listed({})).map(({ length }) => length)).toEqual([1, 1]);
});

test.each(Object.entries(unmatched))("%s leaves out what it does not match (contract 2.4)", async (name, value) => {
  expect(await listed({ [name]: value })).toEqual([[], []]);
});
