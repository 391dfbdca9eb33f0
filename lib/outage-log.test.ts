import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createOutageLog, type OutageReport } from "./outage-log.ts";

const EVERY_MS = 60_000;
let reports: OutageReport[];
const events = () => reports.map(({ event, failures }) => `${event} ${failures}`);
const open = () => createOutageLog((report) => reports.push(report), EVERY_MS);

beforeEach(() => {
  vi.useFakeTimers();
  reports = [];
});
afterEach(() => vi.useRealTimers());

test("the first failure is reported immediately, the end with counts and duration", () => {
  const log = open();
  log.failed("ECONNREFUSED");
  expect(reports).toEqual([
    { event: "began", failures: 1, kinds: { ECONNREFUSED: 1 }, lastKind: "ECONNREFUSED", seconds: 0 },
  ]);
  log.failed("57P03");
  log.failed("57P03");
  vi.advanceTimersByTime(5_000);
  log.succeeded();
  expect(reports.slice(1)).toEqual([
    { event: "ended", failures: 3, kinds: { ECONNREFUSED: 1, "57P03": 2 }, lastKind: "57P03", seconds: 5 },
  ]);
  vi.advanceTimersByTime(10 * EVERY_MS);
  expect(reports).toHaveLength(2);
});

test("during an outage there is one line per minute, whatever the number of failures", () => {
  const log = open();
  for (let second = 0; second < 600; second++) {
    for (let i = 0; i < 100; i++) log.failed("time_out");
    vi.advanceTimersByTime(1_000);
  }
  expect(events()).toEqual([
    "began 1",
    ...Array.from({ length: 10 }, (_, minute) => `continues ${6_000 * (minute + 1)}`),
  ]);
});

test("alternating failures and successes are at most three lines per minute", () => {
  const log = open();
  for (let i = 0; i < 6_000; i++) {
    log.failed("time_out");
    log.succeeded();
    vi.advanceTimersByTime(100);
  }
  expect(reports.length).toBeLessThanOrEqual(30);
  expect(events().slice(0, 3)).toEqual(["began 1", "ended 1", "repeated 599"]);
});

test("successes are not reported, and after a quiet minute the next failure is reported immediately", () => {
  const log = open();
  log.succeeded();
  expect(reports).toEqual([]);
  log.failed("a");
  log.succeeded();
  vi.advanceTimersByTime(EVERY_MS);
  log.failed("b");
  expect(events()).toEqual(["began 1", "ended 1", "began 1"]);
});

test("of many kinds, the line names a few", () => {
  const log = open();
  for (let i = 0; i < 100; i++) log.failed(`kind ${i}`);
  vi.advanceTimersByTime(EVERY_MS);
  expect(Object.keys(reports[1]?.kinds ?? {}).length).toBeLessThanOrEqual(9);
  expect(Object.values(reports[1]?.kinds ?? {}).reduce((sum, count) => sum + count)).toBe(100);
});

test("a closed log stops reporting", () => {
  const log = open();
  log.close();
  log.failed("a");
  vi.advanceTimersByTime(EVERY_MS);
  expect(reports).toEqual([]);
});
