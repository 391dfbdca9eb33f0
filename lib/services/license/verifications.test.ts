import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { VerificationCode } from "#lib/domain/license-status.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { listVerifications, summarizeVerifications, type VerificationPlace } from "./verifications.ts";
import { verifyLicense } from "./verify.ts";

let world: World;
let reseller: ResellerWorld;
let licenseId: number;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  world.setClock("2027-03-10T12:00:00Z");
  reseller = await world.reseller();
  ({ licenseId } = await reseller.register());
});
afterAll(() => world.close());

async function verifyOn(ipAddress: string, at: string) {
  world.setClock(at);
  const { key } = await reseller.license(licenseId);
  await verifyLicense(reseller.context(), { licenseKey: key as never, ipAddress });
  await world.db.writeBehind.flush();
}

const list = (change: Partial<Parameters<typeof listVerifications>[1]> = {}) =>
  listVerifications(reseller.context(), { licenseId, codes: null, before: null, limit: 10, ...change });

test("each answer is listed, newest first, with the address", async () => {
  const { ipAddress } = await reseller.license(licenseId);
  await verifyOn(ipAddress, "2027-03-10T23:59:59Z");
  await verifyOn("203.0.113.9", "2027-03-11T00:00:00Z");
  expect((await list()).rows).toMatchObject([
    { code: "IP_MISMATCH", seenIp: "203.0.113.9", checkedAt: new Date("2027-03-11T00:00:00Z") },
    { code: "VALID", seenIp: ipAddress },
  ]);
  const { firstDay, counts } = await summarizeVerifications(reseller.context(), { licenseId, days: 30 });
  expect(firstDay).toEqual(new Date("2027-02-10T00:00:00Z"));
  expect(counts).toEqual([
    { day: "2027-03-10", code: "VALID", count: 1 },
    { day: "2027-03-11", code: "IP_MISMATCH", count: 1 },
  ]);
});

test("pages have no gaps or repetitions, also within a second and filtered by code", async () => {
  const rows = Array.from({ length: 25 }, (_, index) => ({
    resellerId: reseller.id,
    licenseId,
    seenIp: `203.0.113.${index}`,
    code: (index % 2 === 0 ? "IP_MISMATCH" : "VALID") satisfies VerificationCode,
    checkedAt: new Date(Date.parse("2027-03-10T12:00:00Z") + Math.floor(index / 10) * 1000),
  }));
  await world.db.prisma.verification.createMany({ data: rows });
  for (const [codes, expected] of [
    [null, rows],
    [["IP_MISMATCH"] as const, rows.filter(({ code }) => code === "IP_MISMATCH")],
  ] as const) {
    const seen: string[] = [];
    let before: VerificationPlace | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ codes, before, limit: 4 });
      seen.push(...page.rows.map(({ seenIp }) => seenIp));
      before = page.next;
    } while (before);
    expect(seen).toEqual(expected.map(({ seenIp }) => seenIp).toReversed());
  }
});

test("verifications older than 90 days are not listed, although they are removed by the week", async () => {
  const row = { resellerId: reseller.id, licenseId, code: "VALID" };
  const since = new Date("2026-12-10T12:00:00Z");
  await world.db.prisma.verification.createMany({
    data: [
      { ...row, seenIp: "old", checkedAt: new Date(since.getTime() - 1) },
      { ...row, seenIp: "young", checkedAt: since },
    ],
  });
  expect((await list()).rows).toMatchObject([{ seenIp: "young" }]);
});

test("earlier days are not counted, and another reseller's license is not found (contract 1.12)", async () => {
  await verifyOn("203.0.113.9", "2027-03-10T12:00:00Z");
  world.setClock("2027-03-11T00:00:00Z");
  expect((await summarizeVerifications(reseller.context(), { licenseId, days: 1 })).counts).toEqual([]);
  const stranger = (await world.reseller()).context();
  const page = { licenseId, codes: null, before: null, limit: 10 };
  expect(await codeOf(listVerifications(stranger, page))).toBe("license_not_found");
  expect(await codeOf(summarizeVerifications(stranger, { licenseId, days: 1 }))).toBe("license_not_found");
});
