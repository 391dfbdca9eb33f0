import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withQuery } from "#lib/db/connection/with-query.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { changeLicenseCores } from "./change-core.ts";
import { quoteRenewals } from "./quote-renewal.ts";
import { renewLicense } from "./renew.ts";
import { suspendLicense } from "./suspend.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  world.setClock("2027-01-31T10:00:00Z");
  reseller = await world.reseller();
});
afterAll(() => world.close());

const renew = (licenseId: number, cycleId?: number) => renewLicense(reseller.context(), { licenseId, cycleId });
const day = (date: Date) => date.toISOString().slice(0, 10);

describe("license.renew (contract 3.4)", () => {
  test("extends from the end of the term, anchored at the day of issue: 31 January, 28 February, 31 March", async () => {
    const { licenseId, expiresAt } = await reseller.register();
    expect(day(expiresAt)).toBe("2027-02-28");
    expect(day((await renew(licenseId)).newExpiry)).toBe("2027-03-31");
    expect(day((await renew(licenseId)).newExpiry)).toBe("2027-04-30");
    expect((await reseller.license(licenseId)).expiresAt.toISOString()).toBe("2027-04-30T10:00:00.000Z");
  });

  test("after expiry, extends from now with a new anchor", async () => {
    const { licenseId, expiresAt } = await reseller.register();
    world.setClock("2027-03-30T08:00:00Z");
    expect(expiresAt < world.now()).toBe(true);
    expect((await renew(licenseId)).newExpiry.toISOString()).toBe("2027-04-30T08:00:00.000Z");
    expect(day((await renew(licenseId)).newExpiry)).toBe("2027-05-30");
    expect(await reseller.license(licenseId)).toMatchObject({
      anchoredAt: new Date("2027-03-30T08:00:00Z"),
      issuedAt: new Date("2027-01-31T10:00:00Z"),
    });
  });

  test("charges today's price, not the one at registration", async () => {
    const { licenseId } = await reseller.register();
    const { cycleId } = await world.offer(reseller.id, "control_panel");
    const text = "insert into prices (cycle_id, reseller_id, currency, price) values ($1, $2, 'USD', 1111)";
    await world.db.query(sql(text), [cycleId, reseller.id]);
    expect((await renew(licenseId)).balanceAfter).toBe(100_000n - 1450n - 1111n);
  });

  test("does not charge the setup fee again", async () => {
    const { licenseId } = await reseller.register({ type: "backup_agent" });
    await renew(licenseId);
    expect(await reseller.entries()).toEqual([100_000n, -975n, -475n]);
  });

  test("charges each core beyond the first", async () => {
    const { licenseId } = await reseller.register({ type: "web_server" });
    await changeLicenseCores(reseller.context(), { licenseId, cores: 5 });
    const before = await reseller.spendable();
    expect(before - (await renew(licenseId)).balanceAfter).toBe(1800n + 4n * 650n);
  });

  test("charges cores at the price of the renewal's cycle", async () => {
    const { licenseId } = await reseller.register({ type: "web_server" });
    await changeLicenseCores(reseller.context(), { licenseId, cores: 3 });
    const yearly = await world.offer(reseller.id, "web_server", 12);
    const before = await reseller.spendable();
    expect(before - (await renew(licenseId, yearly.cycleId)).balanceAfter).toBe(18_000n + 2n * 6_500n);
  });

  test("another cycle becomes the current one", async () => {
    const { licenseId } = await reseller.register();
    const yearly = await world.offer(reseller.id, "control_panel", 12);
    expect(day((await renew(licenseId, yearly.cycleId)).newExpiry)).toBe("2028-02-29");
    expect(await reseller.license(licenseId)).toMatchObject({ cycleId: yearly.cycleId, cycleMonths: 12 });
    expect(day((await renew(licenseId)).newExpiry)).toBe("2029-02-28");
    expect(await reseller.entries()).toEqual([100_000n, -1450n, -14_500n, -14_500n]);
  });

  test("a cycle of another product is not found", async () => {
    const { licenseId } = await reseller.register();
    const other = await world.offer(reseller.id, "hardened_kernel");
    expect(await codeOf(renew(licenseId, other.cycleId))).toBe("cycle_not_found");
  });

  test("a suspended license stays suspended", async () => {
    const { licenseId } = await reseller.register();
    await suspendLicense(reseller.context(), { licenseId, reason: "unpaid" });
    await renew(licenseId);
    const license = await reseller.license(licenseId);
    expect(license).toMatchObject({ suspendedBy: "reseller", suspensionReason: "unpaid" });
    expect(day(license.expiresAt)).toBe("2027-03-31");
  });

  test("a retired cycle can be renewed, but not switched to", async () => {
    const { licenseId } = await reseller.register({ months: 12 });
    const other = await reseller.register();
    const yearly = await world.offer(reseller.id, "control_panel", 12);
    const setRetired = (retired: boolean) =>
      world.db.prisma.billingCycle.update({
        where: { id: yearly.cycleId },
        data: { retiredAt: retired ? world.now() : null },
      });
    await setRetired(true);
    try {
      expect(day((await renew(licenseId)).newExpiry)).toBe("2029-01-31");
      expect(day((await renew(licenseId, yearly.cycleId)).newExpiry)).toBe("2030-01-31");
      expect(await codeOf(renew(other.licenseId, yearly.cycleId))).toBe("cycle_not_found");
      // There is no way back to it.
      const monthly = await reseller.license(other.licenseId);
      await renew(licenseId, Number(monthly.cycleId));
      expect(await codeOf(renew(licenseId, yearly.cycleId))).toBe("cycle_not_found");
    } finally {
      await setRetired(false);
    }
  });

  test("a license is renewed up to 25 years ahead: one that ends later keeps its term and its money (contract 3.16)", async () => {
    const { licenseId } = await reseller.register();
    await world.db.query(sql("update licenses set expires_at = $2 where id = $1"), [licenseId, "2052-01-31T00:00:00Z"]);
    expect(day((await renew(licenseId)).newExpiry)).toBe("2052-02-29");
    const before = [await reseller.license(licenseId), await reseller.wallet()];
    await expect(renew(licenseId)).rejects.toMatchObject({
      code: "parameters_invalid",
      details: { cycle_id: "would extend a term that ends more than 25 years ahead" },
    });
    expect([await reseller.license(licenseId), await reseller.wallet()]).toEqual(before);
    expect(await quoteRenewals(reseller.context(), { licenseId })).toEqual([]);
  });

  test("a terminated license cannot be renewed", async () => {
    const { licenseId } = await reseller.register();
    const text = "update licenses set terminated_at = $2 where id = $1";
    await world.db.query(sql(text), [licenseId, world.now()]);
    expect(await codeOf(renew(licenseId))).toBe("state_invalid");
  });

  test("a cycle that does not exist takes precedence over the license's state (contract 1.3)", async () => {
    const { licenseId } = await reseller.register();
    await world.db.query(sql("update licenses set terminated_at = now() where id = $1"), [licenseId]);
    expect(await codeOf(renew(licenseId, 2_000_000_000))).toBe("cycle_not_found");
    expect(await codeOf(renew(licenseId))).toBe("state_invalid");
  });

  test("insufficient balance leaves the term unchanged", async () => {
    const poor = await world.reseller({ funds: "14.50" });
    const { licenseId, expiresAt } = await poor.register();
    expect(await codeOf(renewLicense(poor.context(), { licenseId }))).toBe("insufficient_balance");
    expect((await poor.license(licenseId)).expiresAt).toEqual(expiresAt);
  });
});

describe("one operation at a time on a license", () => {
  test("concurrent renewals extend as often as they charge", async () => {
    const { licenseId } = await reseller.register();
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map(() => renew(licenseId)));
    const renewals = outcomes.filter(({ status }) => status === "fulfilled").length;
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason.code).toBe("operation_in_progress");
    }
    const { expiresAt } = await reseller.license(licenseId);
    expect(expiresAt.getUTCMonth()).toBe(1 + renewals);
    expect(await reseller.entries()).toEqual([100_000n, -1450n, ...Array(renewals).fill(-1450n)]);
  });

  test("an operation planned before another settled is rejected", async () => {
    const { licenseId } = await reseller.register();
    const ctx = reseller.context();
    let overtaken = false;
    const overtake: typeof ctx.db.query = async (statement, values) => {
      if (statement.name === "hold_operations" && !overtaken) {
        overtaken = true;
        await renew(licenseId);
      }
      return ctx.db.query(statement, values);
    };
    const late = renewLicense({ ...ctx, db: withQuery(ctx.db, overtake) }, { licenseId });
    expect(await codeOf(late)).toBe("operation_in_progress");
    expect(day((await reseller.license(licenseId)).expiresAt)).toBe("2027-03-31");
    expect(await reseller.entries()).toEqual([100_000n, -1450n, -1450n]);
  });
});
