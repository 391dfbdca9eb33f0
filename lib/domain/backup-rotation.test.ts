import { expect, test } from "vitest";
import { isBackupDue, isBackupOverdue, type StoredBackup, selectKeptBackups } from "./backup-rotation.ts";

const DAY_MS = 24 * 3_600_000;

const verified = (at: string | number) => ({ at: new Date(at), verified: true });
const unverified = (at: string) => ({ at: new Date(at), verified: false });

/** What is kept after a backup at 2:05 on each of `days` days, rotated daily. */
function keptAfter(days: number): string[] {
  let backups: StoredBackup[] = [];
  for (let day = 0; day < days; day += 1) {
    backups.push(verified(Date.UTC(2027, 0, 1, 2, 5) + day * DAY_MS));
    backups = [...selectKeptBackups(backups)];
  }
  return backups.map(({ at }) => at.toISOString().slice(0, 10)).toSorted();
}

test("after two years of daily backups there are 7 days, 4 weeks and 12 months", () => {
  const kept = keptAfter(731);
  expect(kept).toEqual([
    ...["2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30", "2028-05-31", "2028-06-30"],
    ...["2028-07-31", "2028-08-31", "2028-09-30", "2028-10-31", "2028-11-30"],
    ...["2028-12-10", "2028-12-17", "2028-12-24"],
    ...["2028-12-25", "2028-12-26", "2028-12-27", "2028-12-28", "2028-12-29", "2028-12-30", "2028-12-31"],
  ]);
});

test("of several backups of a day, the newest is kept; a pause deletes nothing", () => {
  const newest = verified("2027-03-10T12:00:00Z");
  expect(selectKeptBackups([verified("2027-03-10T02:00:00Z"), newest])).toEqual(new Set([newest]));
  const old = ["2026-01-01T02:00:00Z", "2026-05-01T02:00:00Z"].map(verified);
  expect(selectKeptBackups([...old, newest])).toEqual(new Set([newest, ...old]));
});

test("an unverified backup is kept for its day until there is a verified one, and replaces none of another day", () => {
  const monday = verified("2027-03-08T02:05:00Z");
  const week = [9, 10, 11, 12, 13, 14].map((day) => unverified(`2027-03-${String(day).padStart(2, "0")}T02:05:00Z`));
  const [next, later] = [unverified("2027-03-15T02:05:00Z"), unverified("2027-03-15T03:05:00Z")];
  expect(selectKeptBackups([monday, ...week, next, later])).toEqual(new Set([monday, ...week, later]));
  const checked = verified("2027-03-15T01:05:00Z");
  expect(selectKeptBackups([monday, ...week, next, checked])).toEqual(new Set([monday, ...week, checked]));
});

test.each<[string | null, string, boolean]>([
  [null, "2027-03-10T00:00:00Z", true],
  ["2027-03-09T02:05:00Z", "2027-03-10T01:59:59Z", false],
  ["2027-03-09T02:05:00Z", "2027-03-10T02:00:00Z", true],
  ["2027-03-10T02:00:00Z", "2027-03-10T02:05:00Z", false],
  ["2027-03-08T02:05:00Z", "2027-03-10T01:00:00Z", true],
  // Of a clock that was ahead.
  ["2027-04-09T02:05:00Z", "2027-03-10T02:05:00Z", true],
])("with the newest of %s, one at %s is due: %s", (newest, now, due) => {
  expect(isBackupDue(newest === null ? [] : [verified(newest)], new Date(now), 2)).toBe(due);
});

test("a backup that was not verified is due again", () => {
  expect(isBackupDue([unverified("2027-03-10T02:05:00Z")], new Date("2027-03-10T03:05:00Z"), 2)).toBe(true);
});

test("a backup is overdue after 26 hours, and if its date is ahead of now", () => {
  const now = new Date("2027-03-10T12:00:00Z");
  const overdue = ["2027-03-09T09:59:59Z", "2027-03-09T10:00:00Z", "2027-03-10T12:00:30Z", "2027-03-10T12:02:00Z"];
  expect(overdue.map((at) => isBackupOverdue(new Date(at), now))).toEqual([true, false, false, true]);
});
