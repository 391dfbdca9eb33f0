import { describe, expect, test } from "vitest";
import type { Figures } from "./figures.ts";
import type { MachineState } from "./machine-health.ts";
import { judgeSystem } from "./system-health.ts";

const NOW = new Date("2027-03-10T12:00:00Z");
const NOW_S = NOW.getTime() / 1_000;
const nothing = { due: 0, age: 0 };
const healthy: Figures = {
  operations: [{ state: "sent", count: 1, age: 2 }],
  held: [],
  deliveries: nothing,
  mails: nothing,
  queue: nothing,
  processes: 2,
  workers: 1,
  jobs: [{ name: "renew_due", age: 60, failed: false, late: false }],
  ledgerDifferences: 0,
  ledgerCheckedAt: NOW_S - 3_600,
  lastBackupAt: NOW_S - 3_600,
  archive: { age: 4, hasCopy: true, problem: null },
  partitions: [{ table: "verifications", end: NOW_S + 14 * 86_400, hasStrays: false }],
};
const comparison = {
  provider: "upstream",
  startedAt: new Date(NOW.getTime() - 60_000),
  runningSince: null,
  failureMessage: null,
  openCaseCount: 0,
};

const GIB = 2 ** 30;
const machine: MachineState = {
  disks: [{ folder: "/data", freeBytes: 20 * GIB, totalBytes: 100 * GIB }],
  silentFolders: [],
  clockOffsetMs: -500,
};

const problems = (
  figures: Partial<Figures>,
  of: Partial<Parameters<typeof judgeSystem>[1][number]> = {},
  here: Partial<MachineState> = {},
) =>
  judgeSystem({ ...healthy, ...figures }, [{ ...comparison, ...of }], { ...machine, ...here }, NOW)
    .filter(({ status }) => status !== "ok")
    .map(({ name, status, detail }) => `${name}${status === "not_yet" ? " (not yet)" : ""}: ${detail}`);

test("a healthy installation has nothing to do", () => {
  expect(problems({})).toEqual([]);
});

test("books that were never compared do not agree", () => {
  expect(judgeSystem(healthy, [], machine, NOW).find(({ name }) => name === "comparisons")).toMatchObject({
    status: "not_yet",
    detail: "Our books have not been compared with a provider's yet",
  });
});

describe("an installation says", () => {
  test.each<[string, string[], Partial<Figures>]>([
    ["that nobody works", ["worker: No process runs the worker: nothing is renewed or delivered"], { workers: 0 }],
    [
      "that changes wait for a provider",
      ["operations: 3 changes wait for a provider, the oldest for 11 minutes"],
      { operations: [{ state: "unknown", count: 3, age: 660 }] },
    ],
    [
      "that a single change waits for a provider",
      ["operations: 1 change has been waiting for a provider for 3 hours"],
      { operations: [{ state: "unknown", count: 1, age: 10_800 }] },
    ],
    [
      "which scheduled jobs failed",
      ["jobs: The last runs of “Verify audit log”, “Compare with providers” failed"],
      { jobs: ["verify_audit_log", "detect_drift"].map((name) => ({ name, age: 60, failed: true, late: false })) },
    ],
    [
      "which scheduled jobs nobody runs",
      [
        "jobs: No process runs “Renew licenses” (last run: 25 minutes ago), “Delete old records” (last run: none), although due",
      ],
      {
        jobs: [
          { name: "renew_due", age: 1_500, failed: true, late: true },
          { name: "prune", age: null, failed: false, late: true },
        ],
      },
    ],
    ["that the books differ", ["ledger: 1 difference in the books"], { ledgerDifferences: 1 }],
    [
      "that nobody has checked them",
      ["ledger (not yet): The wallets have not been checked yet"],
      { ledgerCheckedAt: null },
    ],
    [
      "that nobody checks them any more",
      ["ledger: The wallets were last checked 27 hours ago"],
      { ledgerCheckedAt: NOW_S - 27 * 3_600 },
    ],
    [
      "that partitions end",
      ["partitions: The partitions of table verifications end in 3 days"],
      { partitions: [{ table: "verifications", end: NOW_S + 3.5 * 86_400, hasStrays: false }] },
    ],
    ["that there is no backup", ["backup (not yet): There is no verified backup"], { lastBackupAt: null }],
    [
      "that the backup is old",
      ["backup: The last verified backup is 3 days old"],
      { lastBackupAt: NOW_S - 3 * 86_400 },
    ],
    [
      "that a clock which was ahead has dated the backup",
      ["backup: The last verified backup is dated 3 days ahead of now"],
      { lastBackupAt: NOW_S + 3 * 86_400 },
    ],
    [
      "that the archive stands still, and why",
      ["archive: The archive has stood still for 12 minutes: ENOSPC: no space left on device, write"],
      { archive: { age: 725, hasCopy: true, problem: "ENOSPC: no space left on device, write" } },
    ],
    [
      "that the archive falls behind",
      ["archive: The archive has stood still for 5 minutes"],
      { archive: { age: 300, hasCopy: true, problem: null } },
    ],
    ["nothing of an archive that was away for a moment", [], { archive: { age: 299, hasCopy: true, problem: "EIO" } }],
    [
      "that the first copy for the archive is being made, however long it takes",
      ["archive (not yet): The archive has no complete copy of the database yet"],
      { archive: { age: 7_200, hasCopy: false, problem: null } },
    ],
    [
      "that the first copy for the archive fails",
      ["archive: The archive has stood still for 2 hours: EACCES"],
      { archive: { age: 7_200, hasCopy: false, problem: "EACCES" } },
    ],
    ["nothing of an archive that is not set up", [], { archive: null }],
    [
      "what waits",
      [
        "jobs: 1 job has been waiting for 15 minutes",
        "webhooks: 7 webhooks wait, the oldest for 2 hours",
        "mails: 2 messages wait, the oldest for 16 minutes",
      ],
      { queue: { due: 1, age: 900 }, deliveries: { due: 7, age: 7_200 }, mails: { due: 2, age: 960 } },
    ],
    [
      "numbers above a thousand with separators",
      ["mails: 16,939 messages wait, the oldest for 2,520 days"],
      { mails: { due: 16_939, age: 2_520 * 86_400 } },
    ],
  ])("%s", (_, expected, figures) => {
    expect(problems(figures)).toEqual(expected);
  });

  test("that providers were not compared, or differ", () => {
    expect(problems({}, { failureMessage: "It does not answer." })).toEqual([
      "comparisons: upstream could not be compared. It does not answer",
    ]);
    expect(problems({}, { openCaseCount: 2 })).toEqual(["cases: 2 cases are open"]);
    expect(problems({}, { startedAt: new Date(NOW.getTime() - 4 * 3_600_000) })).toEqual([
      "comparisons: upstream was last compared 4 hours ago",
    ]);
  });

  test("the failure of the last comparison while the next one runs, and that one runs for hours", () => {
    expect(problems({}, { runningSince: NOW, failureMessage: "It does not answer." })).toEqual([
      "comparisons: upstream could not be compared. It does not answer",
    ]);
    const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
    expect(problems({}, { startedAt: hoursAgo(5), runningSince: hoursAgo(1) })).toEqual([]);
    expect(problems({}, { startedAt: hoursAgo(6), runningSince: hoursAgo(4) })).toEqual([
      "comparisons: upstream was last compared 6 hours ago",
    ]);
  });
});

test.each<[string, Partial<MachineState>, string[]]>([
  [
    "a disk that is nearly full",
    { disks: [...machine.disks, { folder: "/backups", freeBytes: 1.9 * GIB, totalBytes: 20 * GIB }] },
    ["disk: /backups: 1.9 GiB of 20.0 GiB are free"],
  ],
  [
    "a small disk with half a GiB left",
    { disks: [{ folder: "/data", freeBytes: 0.4 * GIB, totalBytes: GIB }] },
    ["disk: /data: 0.4 GiB of 1.0 GiB are free"],
  ],
  ["a folder on a mount that hangs", { silentFolders: ["/backups"] }, ["disk: /backups does not answer"]],
  ["a clock that is ahead", { clockOffsetMs: 501 }, ["clock: This machine's clock is 501 ms ahead of the database's"]],
  ["a clock that is behind", { clockOffsetMs: -900 }, ["clock: This machine's clock is 900 ms behind the database's"]],
])("of its machine it says: %s", (_, here, told) => {
  expect(problems({}, {}, here)).toEqual(told);
});
