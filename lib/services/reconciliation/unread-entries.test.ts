import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { createInbox, type Inbox } from "#tests/support/inbox.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { detectDrift } from "./detect-drift.ts";

let world: World;
let inbox: Inbox;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  inbox = createInbox(world);
});
beforeEach(async () => {
  reseller = await inbox.begin();
});
afterAll(() => world.close());

/** Compares with an upstream that lists the license under its own name alone; `reads`: its record is read, too. */
async function compareListOf(license: { ipAddress: string; expiresAt: Date }, { reads }: { reads: boolean }) {
  const facts = { address: license.ipAddress, cores: null, state: "active" } as const;
  const term = { expiresAt: license.expiresAt.toISOString() };
  const upstream: LicenseProvider = {
    ...world.provider,
    async *bookPages() {
      yield [
        {
          reference: "provider:900",
          providerReference: "900",
          facts: { ...facts, product: "control-panel", term: { expiresOn: term.expiresAt.slice(0, 10) } },
        },
      ];
    },
    async *bookDetails() {
      if (reads) yield { providerReference: "900", reference: null, facts: { ...facts, term } };
    },
  };
  world.advance(1_000);
  await detectDrift(world.context(actors.admin(null), { providers: new Map([["sandbox", upstream]]) }));
  return (await inbox.openCases()).map(({ kind }) => kind).sort();
}

test("an entry whose record was not read opens no case, nor does our license that it may be", async () => {
  const license = await reseller.license((await reseller.register()).licenseId);
  world.advance(1_000);
  expect(await compareListOf(license, { reads: false })).toEqual([]);
  expect(await compareListOf({ ...license, ipAddress: world.freshIp() }, { reads: false })).toEqual([
    "charged_not_provisioned",
  ]);
});

test("cases of a record that was read stay open while it is not read again", async () => {
  const license = await reseller.license((await reseller.register()).licenseId);
  world.advance(1_000);
  const both = ["charged_not_provisioned", "unknown_at_ours"];
  expect(await compareListOf(license, { reads: true })).toEqual(both);
  expect(await compareListOf(license, { reads: false })).toEqual(both);
});

test("an unknown license is not ended at the provider once a live license has its name there", async () => {
  const license = await reseller.license((await reseller.register()).licenseId);
  world.advance(1_000);
  await compareListOf(license, { reads: true });
  const unknown = (await inbox.openCases()).find(({ kind }) => kind === "unknown_at_ours") ?? expect.unreachable();
  await world.db.query(sql("update licenses set provider_reference = '900' where id = $1"), [license.id]);
  expect(await codeOf(inbox.act(unknown.id, "correct"))).toBe("conflict");
});
