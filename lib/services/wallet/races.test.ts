import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#lib/db/connection/client.ts";
import { withQuery } from "#lib/db/connection/with-query.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { claimKey, storeAnswer } from "#lib/services/idempotency/claim.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { quoteRenewals } from "#lib/services/license/quote-renewal.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { sql } from "#tests/sql.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { newWorld, type World } from "#tests/support/world.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld({ poolSize: 24 });
});
afterAll(() => world.close());

/** Databases of processes that wait before their hold until `count` of them have reached it. */
function holdTogether(db: Database, count: number): () => Database {
  const everybody = Promise.withResolvers<void>();
  let arrived = 0;
  const query: Database["query"] = async (statement, values) => {
    if (statement.name === "hold_operations") {
      arrived += 1;
      if (arrived === count) everybody.resolve();
      await everybody.promise;
    }
    return db.query(statement, values);
  };
  return () => withQuery(db, query);
}

const succeeded = (result: PromiseSettledResult<unknown>) => result.status === "fulfilled";

test("of concurrent renewal, suspension and address change of one license, one happens and the others get a conflict", async () => {
  for (let round = 0; round < 8; round++) {
    const reseller = await world.reseller();
    const { licenseId, expiresAt } = await reseller.register();
    const before = await reseller.license(licenseId);
    const nextDb = holdTogether(world.db, 3);
    const ctx = () => ({ ...reseller.context(), db: nextDb() });
    const newIp = world.freshIp() as LicenseAddress;
    const results = await Promise.allSettled([
      renewLicense(ctx(), { licenseId }),
      suspendLicense(ctx(), { licenseId }),
      changeLicenseIp(ctx(), { licenseId, newIp }),
    ]);
    const [renewed, suspended, moved] = results.map(succeeded);
    expect(results.filter(succeeded)).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "operation_in_progress" });
    }
    const after = await reseller.license(licenseId);
    expect(after.expiresAt > expiresAt).toBe(renewed);
    expect(after.suspendedAt !== null).toBe(suspended);
    expect(after.ipAddress).toBe(moved ? newIp : before.ipAddress);
    expect(await reseller.entries()).toHaveLength(renewed ? 3 : 2);
    const book = (await world.books()).find(({ reference }) => reference === after.key);
    expect(book).toMatchObject({ ipAddress: after.ipAddress, state: suspended ? "suspended" : "active" });
  }
  await expectBooksToAgree(world.db);
});

test("64 identical requests with one idempotency key are charged once", async () => {
  const reseller = await world.reseller();
  const { licenseId, expiresAt } = await reseller.register();
  const requestHash = createHash("sha256").update("the same request").digest();
  const answers = await Promise.allSettled(
    Array.from({ length: 64 }, async () => {
      const claim = await claimKey(reseller.context(), { key: "order-1", requestHash });
      if (claim.kind === "answered") return claim.answer.body;
      if (claim.kind === "settled") return expect.unreachable();
      const { operation } = await renewLicense(claim.ctx, { licenseId });
      await storeAnswer(claim.ctx, { status: 200, body: operation.id });
      return operation.id;
    }),
  );
  const bodies = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
  expect(new Set(bodies).size).toBe(1);
  for (const answer of answers) {
    if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "idempotency_in_progress" });
  }
  expect(await reseller.entries()).toHaveLength(3);
  const { expiresAt: newExpiry } = await reseller.license(licenseId);
  expect(newExpiry.toISOString()).toBe("2027-05-10T12:00:00.000Z");
  expect(newExpiry > expiresAt).toBe(true);
  await expectBooksToAgree(world.db);
});

test("a price that changes after the quote is charged as of the hold, and reported in the result", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register();
  const [quote] = await quoteRenewals(reseller.context(), { licenseId });
  expect(quote?.price).toBe(1450n);
  await world.db.query(sql("insert into prices (cycle_id, reseller_id, currency, price) values ($1, $2, 'USD', 999)"), [
    quote?.cycleId,
    reseller.id,
  ]);
  const { operation, balanceAfter } = await renewLicense(reseller.context(), { licenseId });
  expect(operation.price).toBe(999n);
  expect(balanceAfter).toBe(100_000n - 1450n - 999n);
  expect((await reseller.entries()).at(-1)).toBe(-999n);
  await expectBooksToAgree(world.db);
});
