/** A decision about a license that changes while it is being made: the database refuses it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { adoptProviderFacts, decideCase } from "#lib/db/reconciliation/action.ts";
import { sql } from "#tests/sql.ts";
import { digestTenant } from "#tests/support/digest-tenant.ts";
import { codeOf } from "#tests/support/faults.ts";
import { createFaultyDatabase } from "#tests/support/faulty-database.ts";
import { createInbox, type Inbox } from "#tests/support/inbox.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { actOnCase } from "./act.ts";
import { detectDrift } from "./detect-drift.ts";
import type { getCase } from "./get-case.ts";

let world: World;
let inbox: Inbox;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  inbox = createInbox(world);
});
beforeEach(async () => {
  await inbox.editBooks("update licenses set open_operation_id = null", []);
  reseller = await inbox.begin();
});
afterAll(() => world.close());

type Case = Awaited<ReturnType<typeof getCase>>["details"];
const decisionOf = ({ id, fingerprint }: Case, agreedWallet = 0n) => ({
  caseId: id,
  fingerprint,
  reason: "as seen",
  agreedWallet,
  by: { actor: "user:2", requestId: "", now: world.now() },
});
const readBooks = () => inbox.editBooks("select * from sandbox_provider_licenses order by reference", []);
const adoption = { term: null, siblings: [], refundFrom: null, toleranceMs: 0, renewalPriceCap: null };

const decisions = {
  "that it has ended": {
    situation: () => inbox.situations.charged_not_provisioned(),
    decide: (seen: Case) => decideCase(world.db, "end", decisionOf(seen)),
  },
  "that it has ended, with a refund": {
    situation: () => inbox.situations.charged_not_provisioned(),
    decide: (seen: Case) => decideCase(world.db, "refund", decisionOf(seen, seen.paid)),
  },
  "that it is live again": {
    situation: () => inbox.situations.provisioned_not_charged(),
    decide: (seen: Case) => decideCase(world.db, "restore", decisionOf(seen, -seen.due)),
  },
  "that an operation was done after all": {
    situation: () => inbox.lateTermination(),
    decide: (seen: Case) => decideCase(world.db, "adopt_late_success", decisionOf(seen)),
  },
  "that it is as at the provider": {
    situation: () => inbox.situations.differs(),
    decide: (seen: Case) => adoptProviderFacts(world.db, decisionOf(seen), adoption),
  },
  "that nothing has to change": {
    situation: () => inbox.situations.differs(),
    decide: (seen: Case) => decideCase(world.db, "dismiss", decisionOf(seen)),
  },
} as const;

const changes = {
  "has changed since the comparison":
    "update licenses set updated_at = $2::timestamptz + interval '1 second' where id = $1",
  "has an operation in flight": `update licenses l set open_operation_id = (
    select o.id from operations o where o.license_id = l.id order by o.created_at limit 1) where l.id = $1 and $2::timestamptz is not null`,
} as const;

describe.each(Object.entries(decisions))("the decision %s", (_, { situation, decide }) => {
  test.each(Object.entries(changes))("is refused, and changes nothing, if the license %s", async (_, change) => {
    const { details } = await situation();
    await inbox.editBooks(change, [details.licenseId, details.lastSeenAt]);
    const before = await digestTenant(world.db, reseller.id);
    expect(await codeOf(decide(details))).toBe("state_invalid");
    expect(await digestTenant(world.db, reseller.id)).toEqual(before);
  });

  test("is made once, of the case that the admin saw", async () => {
    const { details } = await situation();
    expect(await codeOf(decide({ ...details, fingerprint: "of a newer comparison" }))).toBe("conflict");
    await decide(details);
    expect(await codeOf(decide(details))).toBe("conflict");
  });
});

describe.each(["charge", "correct"] as const)("an admin who asks to %s a case that another one dismisses", (action) => {
  const begin = async (statement: string, when: "before" | "after") => {
    const { details } = await inbox.situationFor("differs", action);
    const { db, paused, resume } = createFaultyDatabase(
      world.db,
      { at: 1, when, kind: "pause" },
      (name) => name === statement,
    );
    world.advance(1_000);
    const acting = actOnCase({ ...inbox.admin(), db }, { caseId: details.id, action, reason: "as seen" });
    await paused;
    return { acting, resume, dismissal: () => inbox.act(details.id, "dismiss") };
  };

  test("is refused, and charges and sends nothing, after the dismissal", async () => {
    const { acting, resume, dismissal } = await begin("find_unchanged_licenses", "after");
    await dismissal();
    const [before, books] = [await digestTenant(world.db, reseller.id), await readBooks()];
    resume();
    expect(await codeOf(acting)).toBe("conflict");
    expect([await digestTenant(world.db, reseller.id), await readBooks()]).toEqual([before, books]);
  });

  test("has it done if it was under way first, and the dismissal is refused", async () => {
    const [closing, resolution] =
      action === "charge" ? ["decide_case_charged", "adopted"] : ["decide_case_corrected", "corrected"];
    const { acting, resume, dismissal } = await begin(closing, "before");
    expect(await codeOf(dismissal())).toBe("state_invalid");
    resume();
    expect(await acting).toEqual({ resolution });
  });
});

test("the decision that a license is live again is refused, and changes nothing, if it already is", async () => {
  const { details } = await inbox.situations.provisioned_not_charged();
  await inbox.editBooks("update licenses set terminated_at = null where id = $1", [details.licenseId]);
  const before = await digestTenant(world.db, reseller.id);
  expect(await codeOf(decideCase(world.db, "restore", decisionOf(details)))).toBe("state_invalid");
  expect(await digestTenant(world.db, reseller.id)).toEqual(before);
});

test("a provider that is deleted as its comparison begins is not compared, and the others are", async () => {
  await world.db.query(sql("insert into providers (name, kind) values ('gone', 'sandbox')"), []);
  const deletion = await world.db.begin();
  await deletion.query(sql("delete from providers where name = 'gone'"), []);
  const comparing = detectDrift(world.operator);
  const waiting = sql<{ count: number }>(
    "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  await vi.waitFor(async () => expect(await world.db.query(waiting, [])).toEqual([{ count: 1 }]), 1_500);
  await deletion.commit();
  const outcomes = (await comparing).map(({ provider, outcome }) => [provider, outcome]);
  expect(Object.fromEntries(outcomes)).toEqual({ sandbox: "compared" });
});
