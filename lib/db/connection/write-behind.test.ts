import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createLicenseKey } from "#lib/domain/license-key.ts";
import { verifyLicense } from "#lib/services/license/verify.ts";
import { sql } from "#tests/sql.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createWriteBehind, type VerificationRecord } from "./write-behind.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

const record = (seenIp: string): VerificationRecord => ({
  resellerId: reseller.id,
  licenseId: null,
  seenIp,
  code: "NOT_FOUND",
  checkedAt: world.now(),
});

async function written(): Promise<string[]> {
  const text = "select seen_ip from verifications where reseller_id = $1 order by id";
  return (await world.db.query(sql<{ seen_ip: string }>(text), [reseller.id])).map(({ seen_ip }) => seen_ip);
}

test("every verification is recorded with its answer, without delaying it", async () => {
  const { licenseId, licenseKey } = await reseller.register({ ip: "203.0.113.77" });
  const unknown = createLicenseKey((count) => new Uint8Array(count).fill(9));
  const verify = (key: typeof licenseKey, ipAddress: string) =>
    verifyLicense(reseller.context(), { licenseKey: key, ipAddress });
  expect((await verify(licenseKey, "203.0.113.77")).outcome.code).toBe("VALID");
  expect((await verify(licenseKey, "203.0.113.78")).outcome.code).toBe("IP_MISMATCH");
  expect((await verify(unknown, "203.0.113.77")).outcome.code).toBe("NOT_FOUND");
  await world.db.writeBehind.flush();
  const text = "select license_id, seen_ip, code from verifications where reseller_id = $1 order by id";
  expect(await world.db.query(sql(text), [reseller.id])).toEqual([
    { license_id: licenseId, seen_ip: "203.0.113.77", code: "VALID" },
    { license_id: licenseId, seen_ip: "203.0.113.78", code: "IP_MISMATCH" },
    { license_id: null, seen_ip: "203.0.113.77", code: "NOT_FOUND" },
  ]);
});

test("collected rows are written automatically, in few statements", async () => {
  let statements = 0;
  const writeBehind = createWriteBehind((statement, values) => {
    statements += 1;
    return world.db.query(statement, values);
  });
  const addresses = Array.from({ length: 350 }, (_, index) => `10.1.${index >> 8}.${index & 255}`);
  for (const address of addresses) writeBehind.verification(record(address));
  await vi.waitFor(async () => expect(await written()).toEqual(addresses), 10_000);
  expect(statements).toBeLessThan(10);
  await writeBehind.close();
});

test("nothing is lost during an outage, and everything is written once afterwards", async () => {
  let away = true;
  const writeBehind = createWriteBehind(async (statement, values) => {
    if (away) throw new Error("away");
    return world.db.query(statement, values);
  });
  for (const address of ["10.0.0.1", "10.0.0.2"]) writeBehind.verification(record(address));
  await writeBehind.flush();
  writeBehind.verification(record("10.0.0.3"));
  await writeBehind.flush();
  away = false;
  await vi.waitFor(async () => expect(await written()).toEqual(["10.0.0.1", "10.0.0.2", "10.0.0.3"]), 10_000);
  await writeBehind.close();
  expect(await written()).toHaveLength(3);
});

test("close writes the remaining rows", async () => {
  const writeBehind = createWriteBehind(world.db.query);
  writeBehind.verification(record("10.0.0.9"));
  await writeBehind.close();
  expect(await written()).toEqual(["10.0.0.9"]);
});

test("a key's last use, and from where, only ever moves forward", async () => {
  const { id } = await world.db.prisma.apiKey.create({
    data: { resellerId: reseller.id, name: "k", secretHash: new Uint8Array(32), hint: "", scopes: ["wallet:read"] },
  });
  const lastUsed = async () => {
    const key = await world.db.prisma.apiKey.findUnique({ where: { id } });
    return [key?.lastUsedAt, key?.lastUsedFrom];
  };
  const [early, late] = [new Date("2027-01-01T00:00:00Z"), new Date("2027-01-02T00:00:00Z")];
  for (const usedAt of [early, late, early]) {
    world.db.writeBehind.keyUsed(id, usedAt, usedAt === late ? "192.0.2.2" : "192.0.2.1");
    await world.db.writeBehind.flush();
  }
  expect(await lastUsed()).toEqual([late, "192.0.2.2"]);
});
