import { expect, onTestFinished, test, vi } from "vitest";
import { failure, serve } from "./scripted-server.ts";

const DAY = 86_400;

test.each([
  ["0", 0],
  ["7", 7],
  ["007", 7],
  [String(DAY), DAY],
  ["31536000", DAY],
  ["9".repeat(400), DAY],
  ["-5", null],
  ["+5", null],
  ["1.5", null],
  ["1e3", null],
  ["5 seconds", null],
  ["soon", null],
  ["", null],
  ["Sun, 01 Feb 2026 12:00:30 GMT", 30],
  ["Sunday, 01-Feb-26 12:00:30 GMT", 30],
  ["Sun Feb  1 12:00:30 2026", 30],
  ["Sun, 01 Feb 2026 11:59:59 GMT", 0],
  ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
  ["Sunday, 06-Nov-94 08:49:37 GMT", 0],
  ["Sun Nov  6 08:49:37 1994", 0],
  ["Thu, 01 Feb 2029 12:00:00 GMT", DAY],
  ["Fri, 31 Dec 9999 23:59:59 GMT", DAY],
  ["Sunday, 01-Feb-76 12:00:00 GMT", DAY],
  ["Tuesday, 01-Feb-77 12:00:00 GMT", 0],
  ["2026-02-01T12:00:30Z", null],
  ["Sun, 01 Feb 2026 12:00:30 +0000", null],
  ["Sun, 01 Feb 2026 12:00:30", null],
  ["Sun, 01 Foo 2026 12:00:30 GMT", null],
])("Retry-After %j is %j seconds", async (header, seconds) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 1, 1, 12) });
  onTestFinished(() => void vi.useRealTimers());
  const { desk } = await serve([failure(503, "UNAVAILABLE", { "retry-after": header })], { maxRetries: 0 });
  await expect(desk.balance()).rejects.toMatchObject({ retryAfterSeconds: seconds });
});

test("a call waits until the date that the server names", async () => {
  const until = new Date(Date.now() + 2_000).toUTCString();
  const { desk, received } = await serve([failure(503, "UNAVAILABLE", { "retry-after": until })], { maxRetries: 1 });
  await expect(desk.balance()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
  expect(received).toHaveLength(2);
});
