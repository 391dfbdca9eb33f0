import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { CountReply, CountRequest } from "#lib/ports/limiter.ts";
import { createPrimaryCounts, createPrimaryLimiters } from "./limiter-primary.ts";

const NOW_MS = 1_800_000_000_000;
const options = { name: "requests", windowMs: 60_000, maxTracked: 100 };

/** Processes on channels that deliver copies, a turn later. */
function openCluster(count: number) {
  const answer = createPrimaryCounts();
  const messages: CountRequest[] = [];
  const limiters = Array.from({ length: count }, () => {
    let listen = (_reply: CountReply) => {};
    const store = createPrimaryLimiters({
      async send(message) {
        messages.push(message);
        await turn();
        const reply = answer(structuredClone(message));
        await turn();
        if (reply) listen(structuredClone(reply));
      },
      onReply: (listener) => {
        listen = listener;
      },
    });
    return store.limiter(options);
  });
  return { limiters, messages };
}

test("the primary counts exactly, over all processes, in few messages", async () => {
  const { limiters, messages } = openCluster(3);
  const decisions = await Promise.all(
    Array.from({ length: 300 }, (_, index) => limiters[index % 3]?.take("key", 100, NOW_MS)),
  );
  expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(100);
  expect(messages).toHaveLength(3);
});

test("requests that arrive while a message is under way are counted by the next one, each with its own answer", async () => {
  const { limiters } = openCluster(1);
  const first = limiters[0]?.take("a", 1, NOW_MS);
  await turn();
  const later = [limiters[0]?.take("b", 5, NOW_MS), limiters[0]?.take("a", 1, NOW_MS)];
  expect(await first).toMatchObject({ allowed: true, limit: 1 });
  expect(await Promise.all(later)).toMatchObject([
    { allowed: true, limit: 5, remaining: 4 },
    { allowed: false, limit: 1 },
  ]);
});

test("a released request is uncounted for all", async () => {
  const { limiters } = openCluster(2);
  await limiters[0]?.take("key", 1, NOW_MS);
  expect(await limiters[1]?.take("key", 1, NOW_MS)).toMatchObject({ allowed: false });
  limiters[0]?.release("key", NOW_MS);
  await turn();
  expect(await limiters[1]?.take("key", 1, NOW_MS)).toMatchObject({ allowed: true });
});
