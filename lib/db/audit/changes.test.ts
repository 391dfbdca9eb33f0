import { afterAll, beforeAll, expect, test } from "vitest";
import { updateRateLimit } from "#lib/db/api-key/limits.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { createPendingWrites } from "#lib/db/connection/transaction.ts";
import { updateAutoRenew } from "#lib/db/renewal/event.ts";
import { updatePriceRules, updateRenewalSettings } from "#lib/db/renewal/settings.ts";
import { updateResellerRow } from "#lib/db/reseller/reseller.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { loadStatements } from "#tests/support/all-statements.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  reseller = await world.reseller();
});
afterAll(() => world.close());

const by = () => ({ actor: "test", now: world.now(), requestId: "req_test" });

/** `change` makes one of two changes, each of which reverts the other. */
async function expectBothAudited(change: (db: Database, first: boolean) => Promise<unknown>): Promise<void> {
  await change(world.db, false);
  const { id: before = 0n } = (await world.db.prisma.auditEntry.findFirst({ orderBy: { id: "desc" } })) ?? {};
  const earlier = createPendingWrites(world.db);
  await change(earlier.writes, true);
  const later = change(world.db, false);
  const waits = sql("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
  await expect.poll(() => world.db.query(waits, [])).toHaveLength(1);
  await earlier.commit();
  await later;
  const entries = await world.db.prisma.auditEntry.findMany({ where: { id: { gt: before } }, orderBy: { id: "asc" } });
  const [made, reverted, ...more] = entries.map(({ data }) =>
    Object.values((data as { changes: Record<string, { before: unknown; after: unknown }> }).changes),
  );
  expect(made?.length).toBeGreaterThan(0);
  expect(reverted).toEqual(made?.map(({ before, after }) => ({ before: after, after: before })));
  expect(more).toEqual([]);
}

test("a change that waits for another is audited as a change of what the other left: auto-renew", async () => {
  const { licenseId } = await reseller.register();
  const offer = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(reseller.context(), { ...offer, ipAddress: world.freshIp() });
  for (const unit of [{ kind: "license", id: licenseId } as const, { kind: "bundle", id: instance.id } as const]) {
    await expectBothAudited((db, on) =>
      updateAutoRenew(
        db,
        { ...unit, resellerId: reseller.id, on, agreedPrice: on ? 9_900n : 1_000n, seenVersion: null },
        by(),
      ),
    );
  }
});

test("a change that waits for another is audited as a change of what the other left: settings", async () => {
  const { id } = reseller;
  const owner = world.context(actors.user(id));
  const { apiKeyId } = await createResellerApiKey(owner, { name: "shop", scopes: ["wallet:read"] });
  const changes = [
    (db: Database, first: boolean) => updateRateLimit(db, id, apiKeyId, { requestsPerMinute: first ? 5 : 7, by: by() }),
    (db: Database, first: boolean) =>
      updatePriceRules(db, id, { noticeDays: first ? 5 : 6, maxIncreasePercent: 1 }, null, by()),
    (db: Database, first: boolean) =>
      updateRenewalSettings(db, { resellerId: id, renewAheadDays: first ? 4 : 5, by: by() }, null),
    (db: Database, first: boolean) => updateResellerRow(db, id, { notes: first ? "late" : "" }, null, by()),
  ];
  for (const change of changes) await expectBothAudited(change);
});

test("what a change replaces is read with the row's lock, or the change requires the version that was seen", async () => {
  const unlocked = (await loadStatements())
    .filter(({ text }) => /\bfrom \w+ old\b/.test(text) && !/ and \w\.xmin::text = \$\d+\s/.test(text))
    .map(({ name }) => name);
  expect(unlocked).toEqual([]);
});
