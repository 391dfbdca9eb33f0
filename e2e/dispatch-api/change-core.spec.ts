import { getRuntime } from "#lib/runtime.ts";
import { expectBalancedBooks, findAtProvider, listEventKinds, readTraces } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { minor, type Reseller, setLicense } from "../support/world.ts";

/** A charge, or the part of it that is left: amount × (time from `now` to the end) ÷ length (contract 3.6). */
interface Share {
  readonly amount: bigint;
  readonly divisor: bigint;
  readonly endsAt: Date;
  readonly lengthMs: number;
}

function shareAt({ amount, divisor, endsAt, lengthMs }: Share, now: Date) {
  const numerator = amount * BigInt(endsAt.getTime() - now.getTime());
  return { numerator, denominator: divisor * BigInt(lengthMs) };
}

function halfUp(share: Share, now: Date): bigint {
  const { numerator, denominator } = shareAt(share, now);
  return (2n * numerator + denominator) / (2n * denominator);
}

function down(share: Share, now: Date): bigint {
  const { numerator, denominator } = shareAt(share, now);
  return -(numerator / denominator);
}

/** The instant that the service priced at lies between the request and its answer: so must the price. */
async function changeCores(reseller: Reseller, license_id: number, cores: number, priceAt: (now: Date) => bigint) {
  const before = priceAt(new Date());
  const { status, body } = await reseller.dispatch.post("license.change_core", { license_id, cores });
  const after = priceAt(new Date());
  expect(status).toBe(200);
  const price = minor(body.data.price, reseller.currency);
  expect(price >= (before < after ? before : after) && price <= (before < after ? after : before)).toBe(true);
  return { body, price };
}

/** Moves the license's only cycle so that `share` of it is still to come. */
async function moveTerm(licenseId: number, share: number): Promise<void> {
  const { prisma } = getRuntime().db;
  const { anchoredAt, expiresAt } = await prisma.license.findFirstOrThrow({ where: { id: licenseId } });
  const lengthMs = expiresAt.getTime() - anchoredAt.getTime();
  const startMs = Math.floor((Date.now() - lengthMs * (1 - share)) / 1000) * 1000;
  // Months differ in length: an end that the anchor does not give would be an anchor of its own.
  const end = new Date(startMs);
  end.setUTCFullYear(end.getUTCFullYear() + 1);
  await prisma.license.updateMany({
    where: { id: licenseId },
    data: { anchoredAt: new Date(startMs), expiresAt: end },
  });
}

test("license.change_core answers what changed and what it cost (contract 3.6)", async ({ reseller }) => {
  const { license_id, license_key } = await reseller.newLicense({ product: { pricePerCore: 650n } });
  const { body } = await reseller.dispatch.post("license.change_core", { license_id, cores: 4 });
  expect(body).toEqual({
    success: true,
    message: expect.any(String),
    data: {
      license_id,
      old_cores: 1,
      new_cores: 4,
      provider_status: "updated",
      price: 19.5,
      currency: "USD",
      balance_after: 970.5,
    },
  });
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.cores).toBe(4);
  expect(await findAtProvider(license_key)).toMatchObject({ cores: 4 });
  expect(await listEventKinds(reseller.resellerId)).toContain("license.cores_changed");
});

for (const [currency, pricePerCore] of [
  ["USD", 1_234_567n],
  ["JPY", 98_765n],
  ["KWD", 1_234_567n],
] as const) {
  test(`charge and credit are exact in ${currency}, with the time left (contract 3.6, 1.9)`, async ({
    newReseller,
  }) => {
    const reseller = await newReseller({ currency, funds: "999999999" });
    const license = await reseller.newLicense({ product: { months: 12, price: 1n, pricePerCore } });
    await moveTerm(license.license_id, 0.37);
    const { prisma } = getRuntime().db;
    const { expiresAt } = await prisma.license.findFirstOrThrow({ where: { id: license.license_id } });
    const paidTerm = await prisma.paidTerm.findFirstOrThrow({ where: { licenseId: license.license_id } });
    const lengthMs = paidTerm.endsAt.getTime() - paidTerm.startsAt.getTime();
    const year = { amount: 31n * pricePerCore, divisor: 1n, endsAt: expiresAt, lengthMs };
    const up = await changeCores(reseller, license.license_id, 32, (now) => halfUp(year, now));
    expect(up.price).toBeGreaterThan(0n);
    const lot = await prisma.coreLot.findFirstOrThrow({ where: { licenseId: license.license_id } });
    expect(lot).toMatchObject({ cores: 31, amount: up.price, endsAt: expiresAt });
    const lotMs = lot.endsAt.getTime() - lot.startsAt.getTime();
    const removed = { amount: 27n * up.price, divisor: 31n, endsAt: lot.endsAt, lengthMs: lotMs };
    const back = await changeCores(reseller, license.license_id, 5, (now) => down(removed, now));
    expect(back.price).toBeLessThan(0n);
    const left = minor(999_999_999, currency) - 1n - up.price - back.price;
    expect(minor(back.body.data.balance_after, currency)).toBe(left);
    const { body } = await reseller.dispatch.get("balance");
    expect(minor(body.data.balance, currency)).toBe(left);
    await expectBalancedBooks(reseller.resellerId);
  });
}

test("the same number costs nothing, changes nothing and emits nothing (contract 3.6)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense({ product: { pricePerCore: 650n } });
  const before = await readTraces(reseller.resellerId);
  const { status, body } = await reseller.dispatch.post("license.change_core", { license_id, cores: 1 });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ price: 0, provider_status: "unchanged", old_cores: 1, new_cores: 1 });
  expect(body.data.balance_after).toBe(990);
  expect(await readTraces(reseller.resellerId)).toEqual(before);
});

test("1 and 32 cores are the limits; beyond them CORE_CHANGE_FAILED names cores, and INVALID_PARAMETER what is no integer (contract 3.2)", async ({
  reseller,
}) => {
  const { license_id } = await reseller.newLicense({ product: { pricePerCore: 1n } });
  const refusals = {
    CORE_CHANGE_FAILED: ["0", "33", "1000000000", "-1"],
    INVALID_PARAMETER: ["04", "4.0", "4e0", "+4", "four"],
  };
  for (const [code, values] of Object.entries(refusals)) {
    for (const cores of values) {
      const answer = await reseller.dispatch.post("license.change_core", { license_id, cores });
      expect(`${cores} ${verdictOf(answer)}`).toBe(`${cores} 400 ${code}`);
      expect(answer.body.details).toHaveProperty("cores");
    }
  }
  for (const cores of [32, 1]) {
    expect((await reseller.dispatch.post("license.change_core", { license_id, cores })).status).toBe(200);
  }
});

test("a license without cores is NOT_CORE_METERED, whatever its state (dispatch-interface.md#licensechange_core)", async ({
  reseller,
}) => {
  const { license_id } = await reseller.newLicense();
  const answer = await reseller.dispatch.post("license.change_core", { license_id, cores: 2 });
  expect(verdictOf(answer)).toBe("400 NOT_CORE_METERED");
});

test("an expired license keeps its cores (contract 1.15)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense({ product: { pricePerCore: 650n } });
  await setLicense(license_id, { expiredDays: 1 });
  const answer = await reseller.dispatch.post("license.change_core", { license_id, cores: 2 });
  expect(verdictOf(answer)).toBe("409 INVALID_STATE");
});

test("too little money changes no core (contract 1.3)", async ({ newReseller }) => {
  const reseller = await newReseller({ funds: "16.49" });
  const { license_id } = await reseller.newLicense({ product: { pricePerCore: 650n } });
  const answer = await reseller.dispatch.post("license.change_core", { license_id, cores: 2 });
  expect(verdictOf(answer)).toBe("400 INSUFFICIENT_BALANCE");
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.cores).toBe(1);
});
