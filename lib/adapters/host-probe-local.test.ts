import type { StatsFs } from "node:fs";
import { statfs } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { createLocalHostProbe } from "./host-probe-local.ts";

vi.mock("node:fs/promises", { spy: true });

test("a folder that hangs is reported after 2 seconds, and is asked once, however often the state is read", async () => {
  const answer = Promise.withResolvers<StatsFs>();
  const disk = { bavail: 1, bsize: 2, blocks: 3 } as StatsFs;
  vi.mocked(statfs).mockImplementation((async (folder: string) =>
    folder === "/hangs" ? answer.promise : disk) as never);
  const probe = createLocalHostProbe({ folders: ["/", "/hangs"], readClockOffsetMs: () => 0 });
  const read = () => probe.readState();
  const hanging = {
    disks: [{ folder: "/", freeBytes: 2, totalBytes: 6 }],
    silentFolders: ["/hangs"],
    clockOffsetMs: 0,
  };
  const startedAt = Date.now();
  expect(await Promise.all([read(), read()])).toEqual([hanging, hanging]);
  expect(await read()).toEqual(hanging);
  expect(Date.now() - startedAt).toBeLessThan(6_000);
  expect(vi.mocked(statfs).mock.calls.filter(([folder]) => folder === "/hangs")).toHaveLength(1);
  answer.resolve(disk);
  expect(await read()).toMatchObject({ silentFolders: [] });
});
