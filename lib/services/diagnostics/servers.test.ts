import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ipv4 } from "#lib/domain/ipv4.ts";
import { checkReport, checkReportAge, failedCheckIds, worstSeverity } from "#lib/domain/server-checks.ts";
import type { NameLookup } from "#lib/domain/server-name.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { pruneOldRecords } from "#lib/services/retention/prune.ts";
import { rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { countOwnServerProblems } from "./count-problems.ts";
import { checkServerName, getServer, getServerTrend } from "./get-server.ts";
import { listServers, type ServerFilter, type ServerPlace } from "./list-servers.ts";
import { type ReportInput, reportDiagnostics } from "./report.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const healthy = { os: "Debian 12", kernel: "6.1", cpuCores: 4, memory: "8GB", diskFree: "40GB", uptime: "3 days" };

interface Reported extends Partial<Omit<ReportInput, "licenseKey" | "hostname" | "sentAt">> {
  readonly hostname?: string;
  readonly reportAgeMs?: number;
  readonly clockOffsetS?: number | null;
}

test("a report of a license whose registration is rejected later does not keep its money held", async () => {
  const reseller = await world.reseller();
  const ip = rehearsed.losesRequest;
  const { licenseKey } = await reseller.register({ ip });
  const report = { licenseKey, hostname: "web1.example.com", sourceAddress: ip, sentAt: null, ...healthy };
  await reportDiagnostics(reseller.context(), report as never);
  expect((await reseller.wallet()).held).toBeGreaterThan(0n);
  world.advance(11 * 60_000);
  await reconcileOperations(world.operator, { early: true });
  expect(await reseller.operations()).toMatchObject([{ state: "rejected" }]);
  expect((await reseller.wallet()).held).toBe(0n);
});

/** A license on a new address, whose agent has sent this report. */
async function newServer(
  reseller: ResellerWorld,
  reported: Reported = {},
): Promise<{ address: Ipv4; licenseId: number }> {
  const { hostname = "web1.example.com", reportAgeMs = 0, clockOffsetS = 0, ...change } = reported;
  const { licenseId, licenseKey } = await reseller.register();
  const { ipAddress } = await reseller.license(licenseId);
  const at = new Date(world.now().getTime() - reportAgeMs);
  const sentAt = clockOffsetS === null ? null : new Date(at.getTime() + clockOffsetS * 1_000);
  const report = { licenseKey, hostname, sourceAddress: ipAddress, sentAt, ...healthy, ...change };
  await reportDiagnostics(reseller.context({ now: () => at }), report as never);
  return { address: ipAddress as Ipv4, licenseId };
}

const list = (reseller: ResellerWorld, filter: ServerFilter = {}) =>
  listServers(reseller.context(), { filter, after: null, limit: 100 });
const addressesOf = ({ rows: servers }: Awaited<ReturnType<typeof listServers>>) =>
  servers.map(({ address }) => address);

describe("the list of servers", () => {
  test("has its total once there is a second page, unless it is filtered", async () => {
    const reseller = await world.reseller();
    for (const hostname of ["a.example.com", "b.example.com"]) await newServer(reseller, { hostname });
    const totalOf = async (filter: ServerFilter, limit: number) =>
      (await listServers(reseller.context(), { filter, after: null, limit })).total;
    expect([await totalOf({}, 1), await totalOf({}, 2), await totalOf({ text: "example" }, 1)]).toEqual([
      2,
      null,
      null,
    ]);
  });

  const reported = fc.record({
    reportAgeMs: fc.constantFrom(0, 3 * HOUR_MS, 3 * HOUR_MS + 1, DAY_MS, DAY_MS + 1, 5 * DAY_MS),
    diskFree: fc.constantFrom("40GB", "4GB", "512MB"),
    clockOffsetS: fc.constantFrom(null, 0, -90, 400),
    sourceAddress: fc.constantFrom(undefined, "198.51.100.9"),
  });

  test("is worst first by the rules of the checks, and pages of any size cover it once, in both directions", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(reported, { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 1, max: 4 }),
        async (all, limit) => {
          const reseller = await world.reseller();
          for (const { sourceAddress, ...one } of all)
            await newServer(reseller, sourceAddress ? { ...one, sourceAddress } : one);
          const whole = await list(reseller);
          for (const { severity, reportedAt, ...row } of whole.rows) {
            const checks = [checkReportAge(reportedAt, world.now()), ...checkReport(row)];
            expect(severity).toBe(worstSeverity(checks));
          }
          const order = whole.rows.map(({ severity, address }) => `${2 - severity} ${address}`);
          expect(order).toEqual(order.toSorted());
          expect(order).toHaveLength(all.length);

          const pages: (readonly string[])[] = [];
          let after: ServerPlace | null = null;
          let before: ServerPlace | null = null;
          do {
            const page: Awaited<ReturnType<typeof listServers>> = await listServers(reseller.context(), {
              filter: {},
              after,
              limit,
            });
            pages.push(addressesOf(page));
            after = page.next;
            before = page.previous;
          } while (after !== null);
          expect(pages.flat()).toEqual(addressesOf(whole));
          for (const expected of pages.toReversed().slice(1)) {
            const page = await listServers(reseller.context(), { filter: {}, after: null, before, limit });
            expect(addressesOf(page)).toEqual(expected);
            before = page.previous;
          }
          expect(before).toBeNull();
        },
      ),
      { numRuns: 12 },
    );
  });

  test("filters by each problem and by any part of name and address, and takes % literally", async () => {
    const reseller = await world.reseller();
    const servers = {
      silent: await newServer(reseller, { reportAgeMs: 4 * HOUR_MS }),
      address: await newServer(reseller, { sourceAddress: "198.51.100.9" }),
      disk: await newServer(reseller, { diskFree: "0MB", hostname: "Shop.example.com".toLowerCase() }),
      clock: await newServer(reseller, { clockOffsetS: 90 }),
      fine: await newServer(reseller),
    };
    for (const problem of ["silent", "address", "disk", "clock"] as const) {
      expect(addressesOf(await list(reseller, { problem }))).toEqual([servers[problem].address]);
    }
    expect(addressesOf(await list(reseller, { text: "SHOP" }))).toEqual([servers.disk.address]);
    expect(addressesOf(await list(reseller, { text: servers.clock.address }))).toContain(servers.clock.address);
    expect(addressesOf(await list(reseller, { text: "%" }))).toEqual([]);
    expect(await countOwnServerProblems(reseller.context())).toEqual({ critical: 2, caution: 2 });
  });

  test("omits a server whose licenses are all terminated, expired or moved", async () => {
    const reseller = await world.reseller();
    const [ended, expired, moved, kept] = [
      await newServer(reseller),
      await newServer(reseller),
      await newServer(reseller),
      await newServer(reseller),
    ];
    const { prisma } = world.db;
    await prisma.license.updateMany({ where: { id: ended.licenseId }, data: { terminatedAt: world.now() } });
    const issuedAt = new Date(world.now().getTime() - DAY_MS);
    await prisma.license.updateMany({
      where: { id: expired.licenseId },
      data: { issuedAt, anchoredAt: issuedAt, expiresAt: world.now() },
    });
    await changeLicenseIp(reseller.context(), { licenseId: moved.licenseId, newIp: world.freshIp() });
    expect(addressesOf(await list(reseller))).toEqual([kept.address]);
  });

  test("has one row per server with its newest report, however many licenses report from it", async () => {
    const reseller = await world.reseller();
    const { address, licenseId } = await newServer(reseller, { diskFree: "512MB", reportAgeMs: 5 * HOUR_MS });
    const second = await reseller.register({ type: "web_server", ip: address });
    for (const licenseKey of [(await reseller.license(licenseId)).key, second.licenseKey]) {
      await reportDiagnostics(reseller.context(), {
        ...healthy,
        licenseKey,
        hostname: "web1.example.com",
        sourceAddress: address,
        sentAt: null,
      } as never);
    }
    const { rows: servers } = await list(reseller);
    expect(servers).toMatchObject([{ address, diskFree: "40GB", licenseCount: 2, severity: 0 }]);
  });
});

describe("one server", () => {
  test("shows its newest report with its checks; before any report, only its license", async () => {
    const reseller = await world.reseller();
    const { address } = await newServer(reseller, { sourceAddress: "198.51.100.9", clockOffsetS: -400 });
    const found = await getServer(reseller.context(), { address });
    expect(found?.report).toMatchObject({ hostname: "web1.example.com", kernel: "6.1", clockOffsetS: -400 });
    expect(failedCheckIds(found?.checks ?? [])).toEqual(["address", "clock"]);
    const { ipAddress } = await reseller.license((await reseller.register()).licenseId);
    expect(await getServer(reseller.context(), { address: ipAddress as Ipv4 })).toBeNull();
  });

  test("is not found for another reseller (contract 1.12)", async () => {
    const owner = await world.reseller();
    const stranger = await world.reseller();
    const { address } = await newServer(owner);
    for (const ask of [getServer, checkServerName]) {
      await expect(ask(stranger.context(), { address })).rejects.toMatchObject({ code: "not_found" });
    }
    expect((await getServerTrend(stranger.context(), { address, days: 30 })).rows).toEqual([]);
    expect((await list(stranger)).rows).toEqual([]);
    expect(await countOwnServerProblems(stranger.context())).toEqual({ critical: 0, caution: 0 });
  });

  test("names are looked up only if they are public", async () => {
    const reseller = await world.reseller();
    const asked: string[] = [];
    const lookup: NameLookup = { kind: "found", addresses: ["93.184.215.14"] };
    const hostResolver = {
      resolve: async (hostname: string) => {
        asked.push(hostname);
        return lookup;
      },
    };
    const ctx = reseller.context({ hostResolver });
    const outside = await newServer(reseller, { hostname: "web1.example.com" });
    const inside = await newServer(reseller, { hostname: "metadata.google.internal" });
    expect(await checkServerName(ctx, outside)).toMatchObject({ finding: "elsewhere", verdict: "caution" });
    expect(await checkServerName(ctx, inside)).toMatchObject({ finding: "not_public", verdict: "unknown" });
    expect(asked).toEqual(["web1.example.com"]);
  });

  test("its trend has the lowest disk, the longest uptime and the reported hours of each day", async () => {
    const reseller = await world.reseller();
    const { address, licenseId } = await newServer(reseller, { reportAgeMs: 2 * DAY_MS, diskFree: "900MB" });
    const { key: licenseKey } = await reseller.license(licenseId);
    const more = { ...healthy, licenseKey, hostname: "web1.example.com", sourceAddress: address, sentAt: null };
    const at = (hoursAgo: number) =>
      reseller.context({ now: () => new Date(world.now().getTime() - hoursAgo * HOUR_MS) });
    await reportDiagnostics(at(48), { ...more, diskFree: "2GB", uptime: "5 hours" } as never);
    await reportDiagnostics(at(47), { ...more, diskFree: "3GB", uptime: "6 hours" } as never);
    await reportDiagnostics(at(24 * 40), more as never);
    const { firstDay, rows } = await getServerTrend(reseller.context(), { address, days: 30 });
    expect(firstDay.toISOString()).toBe("2027-02-09T00:00:00.000Z");
    expect(rows).toEqual([{ day: "2027-03-08", reportedHours: 2, lowestDiskFreeMb: 900, longestUptimeHours: 72 }]);
  });

  test("is deleted with its last report, 90 days after it", async () => {
    const reseller = await world.reseller();
    await newServer(reseller, { reportAgeMs: 90 * DAY_MS + 1 });
    const kept = await newServer(reseller, { reportAgeMs: 90 * DAY_MS - 1 });
    await pruneOldRecords(world.operator);
    expect(addressesOf(await list(reseller))).toEqual([kept.address]);
  });
});
