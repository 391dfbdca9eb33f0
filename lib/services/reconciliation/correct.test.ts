import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CaseAction } from "#lib/domain/reconciliation.ts";
import type { LicenseProvider, ProviderOutcome } from "#lib/ports/license-provider.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { createInbox, type Inbox, REASON } from "#tests/support/inbox.ts";
import { counting, reportingAs } from "#tests/support/other-books.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { actOnCase } from "./act.ts";
import { detectDrift } from "./detect-drift.ts";
import { getCase } from "./get-case.ts";

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

/** The sandbox with this outcome for requests; `lookUp` null: the lookup is unclear too. */
function answering(outcome: ProviderOutcome, lookUp: "succeeded" | null = null): LicenseProvider {
  return {
    ...world.provider,
    execute: async () => outcome,
    lookUp: async () => (lookUp === null ? { kind: "unreachable", message: "away" } : { kind: lookUp }),
  };
}

const unknown: ProviderOutcome = { kind: "unknown", message: "no answer" };
const rejected: ProviderOutcome = { kind: "rejected", message: "It is locked there." };
const notSent: ProviderOutcome = { kind: "not_sent", message: "no connection" };

function act(provider: LicenseProvider, caseId: number, action: CaseAction = "correct") {
  world.advance(1_000);
  const ctx = world.context(actors.admin(null), { providers: new Map([["sandbox", provider]]) });
  return actOnCase(ctx, { caseId, action, reason: REASON });
}

async function historyOf(caseId: number) {
  const { details, history } = await getCase(inbox.admin(), { caseId });
  return { resolution: details.resolution, states: history.map(({ data }) => data.state ?? data.resolution) };
}

describe.each([
  ["a license that is live here", () => inbox.situations.differs()],
  ["a license that has ended here", () => inbox.situations.provisioned_not_charged()],
  ["a license unknown here", () => inbox.situations.unknown_at_ours()],
] as const)("%s", (_, build) => {
  test("a rejection keeps the case open, and the admin gets the reason", async () => {
    const { details } = await build();
    await expect(act(answering(rejected), details.id)).rejects.toMatchObject({
      code: "provider_rejected",
      message: "It is locked there.",
    });
    await inbox.compare();
    expect(await inbox.openCases()).toMatchObject([{ id: details.id }]);
    await inbox.act(details.id, "correct");
    expect((await historyOf(details.id)).resolution).toBe("corrected");
  });

  test("a request that cannot be sent keeps the case open", async () => {
    const { details } = await build();
    expect(await codeOf(act(answering(notSent), details.id))).toBe("provider_unavailable");
    expect(await inbox.openCases()).toMatchObject([{ id: details.id }]);
  });

  test("an unclear outcome keeps the case open and adds to the history", async () => {
    const { details } = await build();
    expect(await act(answering(unknown), details.id)).toEqual({ resolution: "open" });
    expect(await inbox.openCases()).toMatchObject([{ id: details.id }]);
    expect((await historyOf(details.id)).states).toContain("unknown");
    world.advance(60_000);
    await reconcileOperations(world.operator, { early: true });
    await inbox.compare();
    expect(await inbox.openCases()).toMatchObject([{ id: details.id }]);
  });
});

test("a lost answer is looked up before the case counts as open", async () => {
  const { details } = await inbox.situations.unknown_at_ours();
  expect(await act(answering(unknown, "succeeded"), details.id)).toEqual({ resolution: "corrected" });
});

test("a license that is live here by now is not ended at the provider", async () => {
  const { details } = await inbox.situations.unknown_at_ours();
  const { licenseId } = await reseller.register();
  await world.db.query(sql("update licenses set key = $2 where id = $1"), [licenseId, details.reference]);
  expect(await codeOf(inbox.act(details.id, "correct"))).toBe("conflict");
  expect((await inbox.openCases()).map(({ id }) => id)).toContain(details.id);
});

test("at a provider that does not terminate licenses it is suspended, and the case stays closed", async () => {
  const { details } = await inbox.situations.unknown_at_ours();
  const suspending: LicenseProvider = {
    ...reportingAs(world.provider, counting, () => ({})),
    execute: (request, maySend) =>
      world.provider.execute(request.action === "terminate" ? { ...request, action: "suspend" } : request, maySend),
  };
  const ctx = world.context(actors.admin(null), { providers: new Map([["sandbox", suspending]]) });
  const offered = (await getCase(ctx, { caseId: details.id })).actions.find(({ action }) => action === "correct");
  expect(offered?.rule).toMatchObject({ possible: true, effect: expect.stringMatching(/or suspends it/) });
  await act(suspending, details.id);
  world.advance(1_000);
  await detectDrift(ctx);
  expect(await inbox.openCases()).toEqual([]);
});
