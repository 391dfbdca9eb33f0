import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Turns } from "#lib/domain/turns.ts";
import { RateShare } from "./rate-share.ts";

const LIMIT = 600;
const PATIENCE_MS = 100;
const HOUR_S = 3_600;
const [greedy, other] = [1, 2];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const newShare = () => new RateShare(new Turns({ slots: 10, slotsOfOne: 6, patienceMs: PATIENCE_MS }), PATIENCE_MS);

/** A provider whose clock differs from ours, and the operations that a reseller can start there before it must wait. */
function provider({ clockOffsetS = 0, requests = 1, answerMs = 0 } = {}) {
  const share = newShare();
  let [used, resetsAtS] = [0, 0];
  const answer = (resetOfAnswerS?: number) => {
    const nowS = Math.floor(performance.now() / 1_000) + 1_000_000_000 + clockOffsetS;
    if (nowS >= resetsAtS) [used, resetsAtS] = [0, nowS + 60];
    used++;
    share.noteAnswer({
      date: new Date(nowS * 1_000).toUTCString(),
      "x-ratelimit-limit": String(LIMIT),
      "x-ratelimit-remaining": String(Math.max(0, LIMIT - used)),
      "x-ratelimit-reset": String(resetOfAnswerS ?? resetsAtS),
    });
    return used <= LIMIT;
  };
  const answerAll = async () => {
    let areAllowed = true;
    for (let sent = 0; sent < requests; sent++) {
      if (answerMs > 0) await new Promise((resolve) => setTimeout(resolve, answerMs));
      areAllowed = answer() && areAllowed;
    }
    return areAllowed;
  };
  const start = async (resellerId: number) => {
    const turn = share.take({ resellerId, requests }, answerAll);
    await vi.advanceTimersByTimeAsync(0);
    const timedOut = vi.advanceTimersByTimeAsync(PATIENCE_MS).then(() => turn);
    return timedOut;
  };
  /** Without waiting, as many as there are. */
  const startAll = async (resellerId: number) => {
    let started = 0;
    for (; started < LIMIT; started++) {
      let done: boolean | null = null;
      const turn = share.take({ resellerId, requests }, answerAll).then((result) => {
        done = result;
      });
      await vi.advanceTimersByTimeAsync(0);
      if (done === null) {
        await vi.advanceTimersByTimeAsync(PATIENCE_MS);
        await turn;
        break;
      }
    }
    return started;
  };
  /** As many at once as it has slots. */
  const startTogether = async (resellerId: number) => {
    let [started, isDone] = [0, false];
    const startInTurn = async () => {
      while ((await share.take({ resellerId, requests }, answerAll)) !== null) started++;
    };
    const all = Promise.all(Array.from({ length: 6 }, startInTurn)).then(() => {
      isDone = true;
    });
    while (!isDone) await vi.advanceTimersByTimeAsync(1);
    await all;
    return started;
  };
  return { share, answer, start, startAll, startTogether };
}

function expectShare(started: number, share: number): void {
  expect(started).toBeGreaterThanOrEqual(LIMIT * share - 2);
  expect(started).toBeLessThanOrEqual(LIMIT * share + 2);
}

test.each([0, -HOUR_S, -60, HOUR_S])(
  "a reseller gets nine tenths of a provider's limit, others some of the rest, its clock %i s from ours",
  async (clockOffsetS) => {
    const { startAll } = provider({ clockOffsetS });
    expectShare(await startAll(greedy), 0.9);
    expectShare(await startAll(other), 0.09);
    await vi.advanceTimersByTimeAsync(60_000);
    expectShare(await startAll(greedy), 0.9);
  },
);

test.each([2, 6, 20])("operations of %i requests each leave others as much", async (requests) => {
  const { startAll, start } = provider({ requests });
  const started = await startAll(greedy);
  expect(started * requests).toBeGreaterThanOrEqual(LIMIT * 0.9 - requests);
  expect(started * requests).toBeLessThanOrEqual(LIMIT * 0.9 + requests);
  expect(await start(other)).toBe(true);
});

test.each([1, 12])("operations of %i requests at once leave others as much as one after another", async (requests) => {
  const { startTogether, start } = provider({ requests, answerMs: 1 });
  const started = await startTogether(greedy);
  expect(started * requests).toBeGreaterThanOrEqual(LIMIT * 0.9 - requests);
  expect(started * requests).toBeLessThanOrEqual(LIMIT * 0.9 + requests);
  expect(await start(other)).toBe(true);
});

test("an operation does not start with too few requests left for it, no matter who used the rest", async () => {
  const { answer, start } = provider({ requests: 12 });
  for (let read = 0; read < LIMIT - 8; read++) answer();
  expect(await start(greedy)).toBeNull();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await start(greedy)).toBe(true);
});

test("what needs more requests than are left does not start, but may if it needs more than a whole window", async () => {
  const { startAll, start } = provider({ requests: 100 });
  await startAll(greedy);
  expect(await start(other)).toBeNull();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await start(other)).toBe(true);
  const large = provider({ requests: LIMIT + 1 });
  large.answer();
  expect(await large.start(greedy)).toBe(false);
});

test("who has used up its share goes on in the next window, however the clock of this machine steps", async () => {
  const { start, startAll } = provider();
  await startAll(greedy);
  vi.setSystemTime(Date.now() - HOUR_S * 1_000);
  expect(await start(greedy)).toBeNull();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await start(greedy)).toBe(true);
});

test("who has used up its share is refused at once, and learns when the next window begins", async () => {
  const { share, startAll } = provider();
  const request = { resellerId: greedy, requests: 1 };
  expect(share.usedUpForMs(request)).toBe(0);
  await startAll(greedy);
  const refused = vi.fn();
  void share.take(request, expect.unreachable).then(refused);
  await vi.advanceTimersByTimeAsync(0);
  expect(refused).toHaveBeenCalledWith(null);
  expect(share.usedUpForMs({ resellerId: other, requests: 1 })).toBe(0);
  const leftMs = share.usedUpForMs(request);
  expect(leftMs).toBeGreaterThan(50_000);
  await vi.advanceTimersByTimeAsync(leftMs);
  expect(share.usedUpForMs(request)).toBe(0);
  expectShare(await startAll(greedy), 0.9);
});

test("one answer with a wrong time is believed for a minute at most, and answers without numbers not at all", async () => {
  const { answer, startAll } = provider();
  answer(4_000_000_000);
  newShare().noteAnswer({ "x-ratelimit-remaining": "none", "x-ratelimit-reset": undefined });
  await vi.advanceTimersByTimeAsync(60_000);
  expectShare(await startAll(greedy), 0.9);
  expect(await startAll(other)).toBeGreaterThan(0);
});
