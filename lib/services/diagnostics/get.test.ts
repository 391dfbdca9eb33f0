import { afterAll, beforeAll, expect, test } from "vitest";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getDiagnostics, type ReportSelector } from "./get.ts";
import { reportDiagnostics } from "./report.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

test("contract 2.5: a report stays with the address that it came for, and a license selects the server at its own", async () => {
  const reseller = await world.reseller();
  const [from, to] = [world.freshIp(), world.freshIp()];
  const { licenseId, licenseKey } = await reseller.register({ ip: from });
  const report = async (uptime: string) => {
    const machine = { os: "Debian 12", kernel: "6.1", cpuCores: 4, memory: "8GB", diskFree: "40GB", uptime };
    const input = { licenseKey, hostname: "web1.example.com", sourceAddress: from, sentAt: null, ...machine };
    await reportDiagnostics(reseller.context(), input as never);
  };
  const uptimes = (selectors: readonly ReportSelector[]) =>
    Promise.all(
      selectors.map((selector) =>
        getDiagnostics(reseller.context(), selector).then(
          ({ uptime }) => uptime,
          ({ code }) => code,
        ),
      ),
    );
  const byNewAddress = [{ licenseKey }, { licenseId }, { ipAddress: to }];

  await report("39 days");
  await report("40 days");
  await changeLicenseIp(reseller.context(), { licenseId, newIp: to });
  expect(await uptimes(byNewAddress)).toEqual(Array(3).fill("diagnostics_report_not_found"));
  expect(await uptimes([{ ipAddress: from }, { server: "web1.example.com" }])).toEqual(["40 days", "40 days"]);
  await report("1 days");
  expect(await uptimes(byNewAddress)).toEqual(Array(3).fill("1 days"));
  expect(await uptimes([{ ipAddress: from }, { server: "web1.example.com" }])).toEqual(["40 days", "1 days"]);
});
