import { afterAll, beforeAll, expect, test } from "vitest";
import { listLicensePage } from "#lib/db/license/list.ts";
import { type ApiWorld, newApiWorld } from "#tests/support/api.ts";
import { presentLicense } from "./dispatch-api/license-info.ts";

let world: ApiWorld;
beforeAll(async () => {
  world = await newApiWorld();
});
afterAll(() => world.close());

/** The reseller's own, the product's, and what another field says. */
const hidden = ["bundleName", "cycleName", "hostname", "resellerId", "resellerName", "type"];

test("license.info and license.list show everything that lists know of a license", async () => {
  const user = await world.user({ funds: "1000" });
  await user.register();
  const now = new Date();
  const page = { filter: {}, order: "oldest", after: null, limit: 1, now } as const;
  const [license] = await listLicensePage(world.db, user.id, page);
  if (license === undefined) return expect.unreachable();
  const unread = new Set(Object.keys(license));
  const watched = new Proxy(license, {
    get(row, name) {
      unread.delete(String(name));
      return Reflect.get(row, name);
    },
  });
  presentLicense(watched, now);
  expect([...unread].toSorted()).toEqual(hidden);
});
