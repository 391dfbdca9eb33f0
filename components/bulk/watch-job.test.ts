import { beforeEach, expect, test, vi } from "vitest";
import { watchJob } from "./watch-job.ts";

const MINUTE_MS = 60_000;
const fetchProgress = vi.fn<() => Promise<Response>>();
const page = { visibilityState: "visible" };
const onEnd = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("document", page);
  vi.stubGlobal("fetch", fetchProgress);
  page.visibilityState = "visible";
  fetchProgress.mockReset();
  onEnd.mockReset();
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

const answer = (state: string) => fetchProgress.mockImplementation(async () => Response.json({ job: { state } }));

test("the end of a job is seen hours later, without asking more than once a minute by then", async () => {
  answer("running");
  watchJob(1, onEnd);
  await vi.advanceTimersByTimeAsync(180 * MINUTE_MS);
  expect(fetchProgress.mock.calls.length).toBeLessThan(120 + 180);
  answer("finished");
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(onEnd).toHaveBeenCalledOnce();
  fetchProgress.mockClear();
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(fetchProgress).not.toHaveBeenCalled();
});

test("the end of a job is seen within seconds in a tab that was hidden for hours", async () => {
  answer("finished");
  page.visibilityState = "hidden";
  watchJob(2, onEnd);
  await vi.advanceTimersByTimeAsync(180 * MINUTE_MS);
  expect(fetchProgress).not.toHaveBeenCalled();
  page.visibilityState = "visible";
  await vi.advanceTimersByTimeAsync(5_000);
  expect(onEnd).toHaveBeenCalledOnce();
});

test.each([401, 404])("a job is not asked for again after the answer %i", async (status) => {
  fetchProgress.mockImplementation(async () => Response.json({}, { status }));
  watchJob(3, onEnd);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(fetchProgress).toHaveBeenCalledOnce();
  expect(onEnd).not.toHaveBeenCalled();
});

test("a job is asked for again after a request that failed", async () => {
  fetchProgress.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  fetchProgress.mockResolvedValueOnce(Response.json({}, { status: 503 }));
  watchJob(4, onEnd);
  await vi.advanceTimersByTimeAsync(10_000);
  answer("finished");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(onEnd).toHaveBeenCalledOnce();
});
