import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { decideTopUp } from "./decide-top-up.ts";
import { listTopUps } from "./list-top-up-requests.ts";
import { getPaymentGuide } from "./payment-settings.ts";
import { requestTopUp } from "./request-top-up.ts";
import { topUpWallet } from "./top-up.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

const audited = (subject: string) =>
  world.db.query(
    sql<{ action: string; actor: string; reason: string; request_id: string }>(
      "select action, actor, reason, request_id from audit_entries where subject = $1 order by id",
    ),
    [subject],
  );
const request = (reference: string, amount = "50") => ({ amount, reference, method: "card" as const, note: "thanks" });

test("a reseller has at most 20 open requests, and cannot bury those of others", async () => {
  const [flood, other] = [await world.reseller({ funds: "0" }), await world.reseller({ funds: "0" })];
  const user = world.context(actors.user(flood.id));
  for (let count = 0; count < 19; count++) await requestTopUp(user, request(`FLOOD-${count}`));
  const { id } = await requestTopUp(user, request("FLOOD-19"));
  expect(await codeOf(requestTopUp(user, request("FLOOD-20")))).toBe("state_invalid");
  expect((await requestTopUp(world.context(actors.user(other.id)), request("PAID"))).state).toBe("requested");
  await decideTopUp(flood.admin(), { requestId: id, decision: "decline", note: "No payment." });
  expect((await requestTopUp(user, request("FLOOD-20"))).state).toBe("requested");
});

test("nobody requests a payment under the reference that another reseller puts on theirs", async () => {
  const [thief, victim] = [await world.reseller(), await world.reseller()];
  const user = world.context(actors.user(thief.id));
  const { reference } = await getPaymentGuide(world.context(actors.user(victim.id)));
  const own = (await getPaymentGuide(user)).reference;
  const spellings = [reference, reference.toLowerCase(), `${own} ${reference}`, reference.replaceAll("-", "\u2010")];
  for (const stolen of [...spellings, `LD-0${victim.id}-1`, `\uff2c\uff24-${victim.id}-1`]) {
    await expect(requestTopUp(user, request(stolen)), stolen).rejects.toMatchObject({
      details: { reference: "is of another account's payment" },
    });
  }
  for (const honest of [own, `Invoice ${own}`, "LD-2027", `WORLD-${victim.id}-1`]) {
    expect((await requestTopUp(user, request(honest))).state, honest).toBe("requested");
  }
});

test("an approved request credits the wallet under its reference, and records the admin and the request id", async () => {
  const reseller = await world.reseller({ funds: "0" });
  const user = world.context(actors.user(reseller.id));
  const asked = await requestTopUp(user, request("INV-1", "12.5"));
  expect(asked).toMatchObject({ amount: 1250n, currency: "USD", state: "requested", method: "card" });
  expect(await reseller.spendable()).toBe(0n);
  const decided = await decideTopUp(reseller.admin(), { requestId: asked.id, decision: "approve" });
  expect(decided.state).toBe("approved");
  expect(await world.db.prisma.topUpRequest.findFirst({ where: { id: asked.id } })).toMatchObject({
    requestedBy: "user:1",
    decidedBy: "user:2",
  });
  expect(await reseller.spendable()).toBe(1250n);
  const [entry] = await world.db.query(
    sql(
      "select kind, counter_account, reference, method from ledger_entries e join wallets w on w.reseller_id = e.reseller_id where w.reseller_id = $1",
    ),
    [reseller.id],
  );
  expect(entry).toEqual({ kind: "top_up", counter_account: "top_ups", reference: "INV-1", method: "card" });
  expect(await audited(`top_up_request:${asked.id}`)).toEqual([
    { action: "wallet.request_top_up", actor: "user:1", reason: "thanks", request_id: "req_test" },
    { action: "wallet.decide_top_up", actor: "user:2", reason: "", request_id: "req_test" },
  ]);
  const [event] = await world.db.query(
    sql("select data from events where reseller_id = $1 and kind = 'wallet.topped_up'"),
    [reseller.id],
  );
  expect(event).toEqual({ data: { amount: 12.5, currency: "USD" } });
  await expectBooksToAgree(world.db);
});

test("another amount than was requested is credited with a reason, which the reseller reads", async () => {
  const reseller = await world.reseller({ funds: "0" });
  const user = world.context(actors.user(reseller.id));
  const { id } = await requestTopUp(user, request("INV-2", "50"));
  const approval = { requestId: id, decision: "approve", amount: "45,5" } as const;
  const unexplained = decideTopUp(reseller.admin(), { ...approval, note: " " });
  await expect(unexplained).rejects.toMatchObject({ details: { note: "is required" } });
  for (const amount of ["0", "-5", "5,000"]) {
    expect(await codeOf(decideTopUp(reseller.admin(), { ...approval, amount, note: "x" }))).toBe("parameters_invalid");
  }
  expect(await reseller.spendable()).toBe(0n);
  const decided = await decideTopUp(reseller.admin(), { ...approval, note: "The bank kept a fee." });
  expect(decided).toMatchObject({ amount: 5000n, creditedAmount: 4550n, decisionNote: "The bank kept a fee." });
  expect(await reseller.spendable()).toBe(4550n);
  expect((await listTopUps(user, { before: null, limit: 1 })).rows).toMatchObject([
    { amount: 5000n, creditedAmount: 4550n, decisionNote: "The bank kept a fee." },
  ]);
  const [{ data } = { data: null }] = await world.db.query(
    sql("select data from events where reseller_id = $1 and kind = 'wallet.topped_up'"),
    [reseller.id],
  );
  expect(data).toEqual({ amount: 45.5, currency: "USD" });
  const same = await requestTopUp(user, request("INV-3", "50"));
  await decideTopUp(reseller.admin(), { requestId: same.id, decision: "approve", amount: "50.00" });
  expect(await reseller.spendable()).toBe(9550n);
  await expectBooksToAgree(world.db);
});

test("of eight concurrent decisions one succeeds, and the money is credited at most once", async () => {
  for (let round = 0; round < 6; round++) {
    const reseller = await world.reseller({ funds: "0" });
    const { id } = await requestTopUp(world.context(actors.user(reseller.id)), request(`INV-${round}`));
    const decisions = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) =>
        decideTopUp(
          reseller.admin(),
          i % 2 === 0
            ? { requestId: id, decision: "approve" }
            : { requestId: id, decision: "decline", note: "not arrived" },
        ),
      ),
    );
    const done = decisions.flatMap((decision) => (decision.status === "fulfilled" ? [decision.value] : []));
    expect(done).toHaveLength(1);
    for (const decision of decisions) {
      if (decision.status === "rejected") expect(decision.reason).toMatchObject({ code: "state_invalid" });
    }
    expect(await reseller.spendable()).toBe(done[0]?.state === "approved" ? 5000n : 0n);
    expect(await audited(`top_up_request:${id}`)).toHaveLength(2);
  }
  await expectBooksToAgree(world.db);
});

test("a reference is accepted for one payment, by request or directly", async () => {
  const reseller = await world.reseller({ funds: "0" });
  const user = world.context(actors.user(reseller.id));
  const { id } = await requestTopUp(user, request("TR-7"));
  expect(await codeOf(requestTopUp(user, request("TR-7", "1")))).toBe("conflict");
  const direct = { resellerId: reseller.id, amount: "50", note: "found it", reference: "TR-7" };
  await topUpWallet(world.operator, direct);
  expect(await codeOf(decideTopUp(reseller.admin(), { requestId: id, decision: "approve" }))).toBe("conflict");
  expect((await listTopUps(user, { before: null, limit: 10 })).rows[0]?.state).toBe("requested");
  expect(await codeOf(topUpWallet(world.operator, direct))).toBe("conflict");
  await decideTopUp(reseller.admin(), { requestId: id, decision: "decline", note: "already credited" });
  expect(await reseller.spendable()).toBe(5000n);
  await topUpWallet(world.operator, { ...direct, reference: "TR-8" });
  expect(await codeOf(requestTopUp(user, request("TR-8")))).toBe("conflict");
  expect(await reseller.spendable()).toBe(10_000n);
  await expectBooksToAgree(world.db);
});

test("a used reference stays used in every spelling that looks like it", async () => {
  const reseller = await world.reseller({ funds: "0" });
  const user = world.context(actors.user(reseller.id));
  const { id, reference } = await requestTopUp(user, request("  TR 901\u200bm"));
  expect(reference).toBe("TR 901m");
  await decideTopUp(reseller.admin(), { requestId: id, decision: "approve" });
  for (const alike of [
    "TR\u00ad 901m",
    "\uff34R 901m",
    "TR  901m",
    "TR\u00a0901m",
    "\u2060TR 901m",
    "tr 901M",
    "TR-901m",
    "TR\u2013901m.",
    "TR 9O1m",
    "TR 90lm",
    "TR 90Im",
    "TR 901rn",
  ]) {
    expect(await codeOf(requestTopUp(user, request(alike))), alike).toBe("conflict");
    const direct = { resellerId: reseller.id, amount: "50", note: "", reference: alike };
    expect(await codeOf(topUpWallet(world.operator, direct)), alike).toBe("conflict");
  }
  expect(await codeOf(requestTopUp(user, request("\u200b")))).toBe("parameters_invalid");
  for (const foreign of ["\u0422", "\u043e", "\u0154", "\u13de", "|", "😀"]) {
    const problems = [{ field: "reference", message: expect.stringContaining(`has “${foreign}”`) }];
    await expect(requestTopUp(user, request(`TR-${foreign}-1`))).rejects.toMatchObject({ problems });
  }
  expect(await reseller.spendable()).toBe(5000n);
});

test("resellers request, admins decide, and each sees only their own", async () => {
  const [one, two] = [await world.reseller(), await world.reseller()];
  const mine = await requestTopUp(world.context(actors.user(one.id)), request("A"));
  await requestTopUp(world.context(actors.user(two.id)), request("A"));
  expect(await codeOf(requestTopUp(one.context(), request("B")))).toBe("permission_denied");
  expect(await codeOf(decideTopUp(one.context(), { requestId: mine.id, decision: "approve" }))).toBe(
    "permission_denied",
  );
  expect(
    await codeOf(decideTopUp(world.context(actors.user(one.id)), { requestId: mine.id, decision: "approve" })),
  ).toBe("permission_denied");
  const seen = (await listTopUps(world.context(actors.user(one.id)), { before: null, limit: 10 })).rows;
  expect(seen.map(({ id }) => id)).toEqual([mine.id]);
  const all = await listTopUps(world.context(actors.admin(null)), { state: "requested", before: null, limit: 1 });
  expect(all.rows[0]?.resellerId).toBe(two.id);
  const next = await listTopUps(world.operator, { state: "requested", before: all.next, limit: 1 });
  expect(next.rows[0]?.id).toBe(mine.id);
  expect(await codeOf(decideTopUp(world.operator, { requestId: 999_999, decision: "approve" }))).toBe("not_found");
  expect(await codeOf(decideTopUp(world.operator, { requestId: mine.id, decision: "decline", note: " " }))).toBe(
    "parameters_invalid",
  );
});

test.each(["0", "-5", "1.234", "1e3", "", "NaN"])("an amount of %j is rejected", async (amount) => {
  const reseller = await world.reseller({ funds: "0" });
  const user = world.context(actors.user(reseller.id));
  expect(await codeOf(requestTopUp(user, request("X", amount)))).toBe("parameters_invalid");
});
