/** Events of one millisecond are listed in the order in which they happened. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { parseHostname } from "#lib/domain/hostname.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import { actors } from "#tests/support/actors.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getLicenseHistory } from "./license/history.ts";
import { updateLicense } from "./license/update.ts";
import { getOverview } from "./overview/get.ts";
import { type EventPlace, listEvents } from "./webhook/list-events.ts";

const names = Array.from({ length: 7 }, (_, n) => `web${n}.example.com`);
const newestFirst = names.toReversed();

let world: World;
let reseller: ResellerWorld;
let licenseId: LicenseId;
beforeAll(async () => {
  world = await newWorld();
  reseller = await world.reseller();
  ({ licenseId } = await reseller.register());
  const { key: licenseKey } = await reseller.license(licenseId);
  for (const name of names) {
    const hostname = parseHostname(name);
    if (hostname === null) throw new Error(`${name} is no host name`);
    await updateLicense(reseller.context(), { licenseKey, hostname });
  }
});
afterAll(() => world.close());

test("in a license's history", async () => {
  const history = await getLicenseHistory(reseller.context(), { licenseId, limit: 100 });
  expect(history.map(({ data }) => data.server).slice(0, -1)).toEqual(newestFirst);
  expect(history.at(-1)?.eventKind).toBe("license.activated");
});

test("over the pages of the API's list", async () => {
  const listed: unknown[] = [];
  for (let before: EventPlace | null | undefined = null; before !== undefined; ) {
    const page = await listEvents(reseller.context(), { licenseId, kind: "license.updated", before, limit: 3 });
    listed.push(...page.rows.map(({ data }) => data.server));
    before = page.next ?? undefined;
  }
  expect(listed).toEqual(newestFirst);
});

test("on the overview", async () => {
  const { recent } = await getOverview(world.context(actors.user(reseller.id)));
  expect(recent.map(({ data }) => data.server).slice(0, names.length)).toEqual(newestFirst);
});
