import { isBackupOverdue } from "./backup-rotation.ts";
import { countText } from "./count-text.ts";
import type { ArchiveState, Figures } from "./figures.ts";
import { clockText, diskText, judgeClock, judgeDisk, type MachineState } from "./machine-health.ts";
import { findPartitionProblem } from "./partitions.ts";
import { jobTitlesText } from "./scheduled-jobs.ts";

/** What can be wrong with an installation. */
export type SystemCheckName =
  | "worker"
  | "operations"
  | "ledger"
  | "comparisons"
  | "cases"
  | "backup"
  | "archive"
  | "partitions"
  | "disk"
  | "clock"
  | "jobs"
  | "webhooks"
  | "mails";

export interface SystemCheck {
  readonly name: SystemCheckName;
  /** `not_yet`: it has never happened, as on a new installation. */
  readonly status: "ok" | "not_yet" | "problem";
  /** One sentence without its period. */
  readonly detail: string;
}

interface Comparison {
  readonly provider: string;
  readonly startedAt: Date;
  readonly runningSince: Date | null;
  readonly failureMessage: string | null;
  readonly openCaseCount: number;
}

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
const UNKNOWN_AFTER_S = 10 * MINUTE_S;
/** Runs daily. */
const LEDGER_AFTER_S = 26 * HOUR_S;
/** Runs hourly. */
const COMPARED_AFTER_S = 3 * HOUR_S;
const BACKLOG_AFTER_S = 15 * MINUTE_S;

/** A folder that is away for a moment is no problem: the server keeps its log. */
const ARCHIVED_AFTER_S = 5 * MINUTE_S;

/** Judges an installation by what its database knows, and the machine that asks. */
export function judgeSystem(
  figures: Figures,
  comparisons: readonly Comparison[],
  machine: MachineState,
  now: Date,
): SystemCheck[] {
  const nowS = now.getTime() / 1_000;
  const check = (name: SystemCheckName, problem: string | null, ok: string): SystemCheck => ({
    name,
    status: problem === null ? "ok" : "problem",
    detail: problem ?? ok,
  });
  const { ledgerCheckedAt, lastBackupAt } = figures;
  return [
    check(
      "worker",
      figures.workers === 0 ? "No process runs the worker: nothing is renewed or delivered" : null,
      workers(figures),
    ),
    check("operations", stuck(figures), "No change has waited long for its provider"),
    ledgerCheckedAt === null
      ? { name: "ledger", status: "not_yet", detail: "The wallets have not been checked yet" }
      : check("ledger", ledger(figures, nowS - ledgerCheckedAt), "All wallets agree with their entries"),
    comparisons.length === 0
      ? { name: "comparisons", status: "not_yet", detail: "Our books have not been compared with a provider's yet" }
      : check("comparisons", compared(comparisons, now), "Our books are compared with the providers'"),
    check("cases", openCases(comparisons), "No case is open"),
    lastBackupAt === null
      ? { name: "backup", status: "not_yet", detail: "There is no verified backup" }
      : check("backup", backup(lastBackupAt, now), "There is a verified backup of the last day"),
    ...(figures.archive === null ? [] : [judgeArchive(figures.archive)]),
    check("partitions", findPartitionProblem(figures.partitions, now), "Rows of the coming weeks have a partition"),
    check("disk", fullDisk(machine), "This machine's disks have space"),
    check("clock", wrongClock(machine), "This machine's clock agrees with the database's"),
    check(
      "jobs",
      lateJobs(figures) ?? failedJobs(figures) ?? backlog(figures.queue, "job"),
      "No jobs are queued or late, and none has failed",
    ),
    check("webhooks", backlog(figures.deliveries, "webhook"), "No webhooks are queued"),
    check("mails", backlog(figures.mails, "message"), "No messages are queued"),
  ];
}

function workers({ workers: count }: Figures): string {
  return count === 1 ? "1 process runs the worker" : `${count} processes run the worker`;
}

function lateJobs({ jobs }: Figures): string | null {
  const late = jobs.filter((job) => job.late);
  if (late.length === 0) return null;
  const names = late.map(({ name, age }) => {
    return `${jobTitlesText([name])} (last run: ${age === null ? "none" : `${duration(age)} ago`})`;
  });
  return `No process runs ${names.join(", ")}, although due`;
}

function failedJobs({ jobs }: Figures): string | null {
  const failed = jobs.filter((job) => job.failed);
  if (failed.length === 0) return null;
  const of = failed.length === 1 ? "The last run of" : "The last runs of";
  return `${of} ${jobTitlesText(failed.map(({ name }) => name))} failed`;
}

function stuck({ operations }: Figures): string | null {
  const oldest = Math.max(0, ...operations.map(({ age }) => age));
  if (oldest < UNKNOWN_AFTER_S) return null;
  const count = operations.reduce((sum, operation) => sum + operation.count, 0);
  return waitText(count, "change", oldest, " for a provider");
}

function ledger({ ledgerDifferences: count }: Figures, ageS: number): string | null {
  if (count !== null && count > 0) return `${countText(count, "difference")} in the books`;
  return ageS > LEDGER_AFTER_S ? `The wallets were last checked ${duration(ageS)} ago` : null;
}

function openCases(comparisons: readonly Comparison[]): string | null {
  const cases = comparisons.reduce((sum, { openCaseCount }) => sum + openCaseCount, 0);
  return cases === 0 ? null : `${countText(cases, "case")} ${cases === 1 ? "is" : "are"} open`;
}

function compared(comparisons: readonly Comparison[], now: Date): string | null {
  const failing = comparisons.find(({ failureMessage }) => failureMessage !== null);
  if (failing) return `${failing.provider} could not be compared. ${withoutPeriod(failing.failureMessage ?? "")}`;
  const ageOf = (time: Date) => (now.getTime() - time.getTime()) / 1_000;
  const late = comparisons.find(({ startedAt, runningSince }) => ageOf(runningSince ?? startedAt) > COMPARED_AFTER_S);
  return late ? `${late.provider} was last compared ${duration(ageOf(late.startedAt))} ago` : null;
}

function fullDisk({ disks, silentFolders }: MachineState): string | null {
  const [silent] = silentFolders;
  if (silent !== undefined) return `${silent} does not answer`;
  const full = disks.find((disk) => judgeDisk(disk) !== "ok");
  return full ? `${full.folder}: ${diskText(full)}` : null;
}

function wrongClock({ clockOffsetMs }: MachineState): string | null {
  return judgeClock(clockOffsetMs) === "ok" ? null : `This machine's clock is ${clockText(clockOffsetMs)}`;
}

function backup(atS: number, now: Date): string | null {
  const ageS = now.getTime() / 1_000 - atS;
  if (!isBackupOverdue(new Date(atS * 1_000), now)) return null;
  return ageS < 0
    ? `The last verified backup is dated ${duration(-ageS)} ahead of now`
    : `The last verified backup is ${duration(ageS)} old`;
}

function judgeArchive(archive: ArchiveState): SystemCheck {
  const name = "archive";
  const problem = findArchiveProblem(archive);
  if (problem !== null) return { name, status: "problem", detail: problem };
  return archive.hasCopy
    ? { name, status: "ok", detail: "The archive has every change" }
    : { name, status: "not_yet", detail: "The archive has no complete copy of the database yet" };
}

/** One sentence without its period; null: it does not stand still. The first copy of a large database takes long. */
export function findArchiveProblem({ age, hasCopy, problem }: ArchiveState): string | null {
  if (age < ARCHIVED_AFTER_S || (!hasCopy && problem === null)) return null;
  return `The archive has stood still for ${duration(age)}${problem === null ? "" : `: ${withoutPeriod(problem)}`}`;
}

function withoutPeriod(text: string): string {
  return text.replace(/\.$/, "");
}

function backlog({ due, age }: Figures["queue"], what: string): string | null {
  if (age < BACKLOG_AFTER_S) return null;
  return waitText(due, what, age);
}

/** `ageS`: how long the oldest has waited. */
function waitText(count: number, what: string, ageS: number, forWhat = ""): string {
  return count === 1
    ? `1 ${what} has been waiting${forWhat} for ${duration(ageS)}`
    : `${countText(count, what)} wait${forWhat}, the oldest for ${duration(ageS)}`;
}

/** Minutes below two hours, hours below two days, else days. */
function duration(seconds: number): string {
  if (seconds < 2 * HOUR_S) return countText(Math.floor(seconds / MINUTE_S), "minute");
  if (seconds < 2 * DAY_S) return countText(Math.floor(seconds / HOUR_S), "hour");
  return countText(Math.floor(seconds / DAY_S), "day");
}
