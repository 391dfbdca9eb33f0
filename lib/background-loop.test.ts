import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
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
