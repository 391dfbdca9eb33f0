import { afterAll, beforeAll, expect, test } from "vitest";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getDiagnostics, type ReportSelector } from "./get.ts";
import { reportDiagnostics } from "./report.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

async function report(reseller: ResellerWorld, licenseKey: string, uptime: string, sourceAddress: string) {
  const machine = { os: "Debian 12", kernel: "6.1", cpuCores: 4, memory: "8GB", diskFree: "40GB", uptime };
  const input = { licenseKey, hostname: "web1.example.com", sourceAddress, sentAt: null, ...machine };
  await reportDiagnostics(reseller.context(), input as never);
}

function uptimes(reseller: ResellerWorld, selectors: readonly ReportSelector[]) {
  return Promise.all(
    selectors.map((selector) =>
      getDiagnostics(reseller.context(), selector).then(
        ({ uptime }) => uptime,
        ({ code }) => code,
      ),
    ),
  );
}

test("contract 2.5: a report stays with the address that it came for, and a license selects its own at its address", async () => {
  const reseller = await world.reseller();
  const [from, to] = [world.freshIp(), world.freshIp()];
  const { licenseId, licenseKey } = await reseller.register({ ip: from });
  const byNewAddress = [{ licenseKey }, { licenseId }, { ipAddress: to }];
  const byOthers = [{ ipAddress: from }, { server: "web1.example.com" }];

  await report(reseller, licenseKey, "39 days", from);
  await report(reseller, licenseKey, "40 days", from);
  await changeLicenseIp(reseller.context(), { licenseId, newIp: to });
  expect(await uptimes(reseller, byNewAddress)).toEqual(Array(3).fill("diagnostics_report_not_found"));
  expect(await uptimes(reseller, byOthers)).toEqual(["40 days", "40 days"]);
  await report(reseller, licenseKey, "1 days", to);
  expect(await uptimes(reseller, byNewAddress)).toEqual(Array(3).fill("1 days"));
  expect(await uptimes(reseller, byOthers)).toEqual(["40 days", "1 days"]);
});

test("contract 2.5: a terminated license does not select the reports of the next one on its address", async () => {
  const reseller = await world.reseller();
  const ip = world.freshIp();
  const before = await reseller.register({ ip });
  await terminateLicense(reseller.context(), { licenseId: before.licenseId });
  const next = await reseller.register({ ip });
  await report(reseller, next.licenseKey, "3 days", ip);
  const ofBefore = [{ licenseKey: before.licenseKey }, { licenseId: before.licenseId }];
  expect(await uptimes(reseller, ofBefore)).toEqual(Array(2).fill("diagnostics_report_not_found"));
  expect(await uptimes(reseller, [{ licenseId: next.licenseId }, { ipAddress: ip }])).toEqual(["3 days", "3 days"]);
});

test("contract 1.13: a report sent with another license's key from elsewhere replaces none of the server's", async () => {
  const reseller = await world.reseller();
  const ip = world.freshIp();
  const leaked = await reseller.register({ ip });
  const neighbor = await reseller.register({ ip, type: "web_server" });
  await report(reseller, neighbor.licenseKey, "3 days", ip);
  await report(reseller, leaked.licenseKey, "99 days", "198.51.100.9");
  const ofServer = [{ licenseKey: neighbor.licenseKey }, { licenseId: neighbor.licenseId }, { ipAddress: ip }];
  expect(await uptimes(reseller, [...ofServer, { server: "web1.example.com" }])).toEqual(Array(4).fill("3 days"));
  expect(await uptimes(reseller, [{ licenseKey: leaked.licenseKey }])).toEqual(["99 days"]);
});
