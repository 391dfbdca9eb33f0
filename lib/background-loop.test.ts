import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { startLoop } from "./background-loop.ts";

const SLOTS = 2;
const EVERY_MS = 60_000;

test("a place that becomes free is used again at once, also if the others stay taken", async () => {
  let begun = 0;
  const loop = startLoop<number>({
    async poll({ underWay, begin }) {
      for (let free = SLOTS - underWay.size; free > 0; free--)
        begin(begun, sleep(begun++ === 0 ? EVERY_MS : 1, undefined, { ref: false }));
      return false;
    },
    everyMs: EVERY_MS,
    pollsAtEnds: true,
    afterErrorMs: EVERY_MS,
    logError: (error) => expect.unreachable(String(error)),
  });
  await expect.poll(() => begun).toBeGreaterThan(10);
  await loop.stop(0);
});

test("a loop that fails looks for work again soon, not only at its next time", async () => {
  const poll = vi.fn(async () => {
    throw new Error("no database");
  });
  const logError = vi.fn();
  const loop = startLoop({ poll, everyMs: EVERY_MS, afterErrorMs: 20, logError });
  await expect.poll(() => poll.mock.calls.length).toBeGreaterThan(3);
  expect(logError.mock.lastCall).toEqual([new Error("no database")]);
  await loop.stop(0);
  const { length } = poll.mock.calls;
  await sleep(100);
  expect(poll).toHaveBeenCalledTimes(length);
});

test("a loop that fails waits before it looks again", async () => {
  const poll = vi.fn().mockRejectedValue(new Error("no database"));
  const loop = startLoop({ poll, everyMs: 1, afterErrorMs: EVERY_MS, logError: () => undefined });
  await sleep(200);
  await loop.stop(0);
  expect(poll).toHaveBeenCalledTimes(1);
});

test("a piece that fails is logged, and frees its place", async () => {
  const logError = vi.fn();
  const poll = vi.fn(async ({ underWay, begin }: Parameters<Parameters<typeof startLoop<string>>[0]["poll"]>[0]) => {
    if (underWay.size === 0) begin("piece", Promise.reject(new Error("broken")));
    return false;
  });
  const loop = startLoop<string>({ poll, everyMs: EVERY_MS, pollsAtEnds: true, afterErrorMs: EVERY_MS, logError });
  await expect.poll(() => logError.mock.calls.length).toBeGreaterThan(3);
  expect(logError.mock.lastCall).toEqual([new Error("broken")]);
  await loop.stop(0);
});

test("a loop that is woken looks for work at once, also while it looks already", async () => {
  const looks: PromiseWithResolvers<boolean>[] = [];
  const poll = () => {
    const look = Promise.withResolvers<boolean>();
    looks.push(look);
    return look.promise;
  };
  const loop = startLoop({
    poll,
    everyMs: EVERY_MS,
    afterErrorMs: EVERY_MS,
    logError: (error) => expect.unreachable(String(error)),
  });
  looks[0]?.resolve(false);
  await sleep(100);
  expect(looks).toHaveLength(1);
  loop.wake();
  await expect.poll(() => looks.length).toBe(2);
  loop.wake();
  looks[1]?.resolve(false);
  await expect.poll(() => looks.length).toBe(3);
  looks[2]?.resolve(false);
  await loop.stop(0);
});
