/** A refund by hand that commits while an admin acts on a case with the amount of before. */
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { actionRules, type CaseAction, caseActions, caseKinds } from "#lib/domain/reconciliation.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { sql } from "#tests/sql.ts";
import { createInbox, type Inbox } from "#tests/support/inbox.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { actOnCase } from "./act.ts";
import type { getCase } from "./get-case.ts";

type Case = Awaited<ReturnType<typeof getCase>>;

let world: World;
let inbox: Inbox;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  inbox = createInbox(world);
});
beforeEach(async () => {
  inbox.enterMidMonth();
  reseller = await inbox.begin();
});
afterAll(() => world.close());

async function withBooks(change: string, cores = 1): Promise<Case> {
  const { licenseId, licenseKey } = await reseller.register({ type: "web_server" });
  world.advance(1_000);
  if (cores > 1) await changeLicenseCores(reseller.context(), { licenseId, cores });
  await inbox.editBooks(`update sandbox_provider_licenses set ${change} where reference = $1`, [licenseKey]);
  return inbox.theCase("differs");
}

/** A license that an admin ended without a refund, which the provider has again. */
async function endedUnrefunded(): Promise<Case> {
  const { licenseId, licenseKey } = await reseller.register();
  await inbox.forget(licenseKey);
  await inbox.act((await inbox.theCase("charged_not_provisioned")).details.id, "adopt");
  await inbox.hold(licenseKey, (await reseller.license(licenseId)).ipAddress);
  return inbox.theCase("provisioned_not_charged");
}

const situations: readonly (readonly [string, CaseAction, () => Promise<Case>])[] = [
  ...caseKinds.flatMap((kind) =>
    caseActions
      // What asking moves depends on the answer, and the page says so.
      .filter((action) => actionRules[kind][action].possible && action !== "ask_again")
      .map((action) => [kind, action, () => inbox.situationFor(kind, action)] as const),
  ),
  ["ended without a refund", "adopt", endedUnrefunded],
  ["another product", "refund", () => withBooks("product = 'another'")],
  ["more cores", "charge", () => withBooks("cores = 3")],
  ["fewer cores", "refund", () => withBooks("cores = 1", 3)],
];

/** Runs an action while a transaction refunds all but one unit of every charge; it commits once the action waits for it or is done. */
async function whileRefunding<Result>(
  act: () => Promise<Result>,
): Promise<readonly [bigint, PromiseSettledResult<Result>]> {
  const client = new pg.Client({ connectionString: world.url });
  await client.connect();
  try {
    await client.query("begin");
    const { rows } = await client.query<{ amount: string }>(
      `select refunded.amount
         from operations o cross join charge_left(o.id, o.reseller_id) as charge (remaining)
        cross join lateral refund_operation(o.id, remaining - 1, null, '', 'user:2', null, $2) refunded
        where o.reseller_id = $1 and remaining > 1`,
      [reseller.id, world.now()],
    );
    let done = false;
    const acting = Promise.allSettled([act()]).finally(() => {
      done = true;
    });
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(async () => done || (await world.db.query(sql(waiting), [])).length > 0).toBe(true);
    await client.query("commit");
    const [outcome] = await acting;
    return [rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n), outcome];
  } finally {
    await client.end();
  }
}

test.each(situations)(
  "%s, %s: moves the amount that the admin saw beside a refund by hand, or is refused and moves nothing",
  async (_, action, situation) => {
    const { details, actions } = await situation();
    const offer = actions.find((offered) => offered.action === action);
    const agreedWallet = offer?.money.wallet ?? expect.unreachable();
    const { posted } = await reseller.wallet();
    world.advance(1_000);
    const act = () => actOnCase(inbox.admin(), { caseId: details.id, action, reason: "as seen", agreedWallet });
    const [refunded, { status, ...outcome }] = await whileRefunding(act);
    const moved = (await reseller.wallet()).posted - posted - refunded;
    expect(moved).toBe(status === "fulfilled" ? agreedWallet : 0n);
    const code = expect.stringMatching(/^(conflict|operation_in_progress)$/);
    if (status === "rejected") expect(outcome).toMatchObject({ reason: { code } });
  },
);
