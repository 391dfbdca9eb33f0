import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("owners get free slots in turn, however much each wants", async () => {
  const turns = new Turns({ slots: 2, slotsOfOne: 2, patienceMs: 5_000 });
  const order: number[] = [];
  const want = (owner: number) =>
    turns.take(owner, async () => {
      order.push(owner);
      await sleep(1);
    });
  await Promise.all([...Array(6).fill(1), 2, 2, 3].map(want));
  expect(order).toEqual([1, 1, 1, 2, 3, 1, 2, 1, 1]);
});

test("one owner's turns leave slots to others, however long they take", async () => {
  const turns = new Turns({ slots: 3, slotsOfOne: 2, patienceMs: 200 });
  const long = Promise.withResolvers<string>();
  const greedy = [1, 1, 1, 1].map((owner) => turns.take(owner, () => long.promise));
  expect(await turns.take(2, async () => "other")).toBe("other");
  expect(await Promise.all(greedy.slice(2))).toEqual([null, null]);
  long.resolve("done");
  expect(await Promise.all(greedy.slice(0, 2))).toEqual(["done", "done"]);
});

test("an owner who ends one of several turns has one more, not all of them again", async () => {
  const turns = new Turns({ slots: 4, slotsOfOne: 2, patienceMs: 100 });
  const [short, long] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const taken = [short, long].map(({ promise }) => turns.take(1, () => promise));
  short.resolve("ended");
  expect(await taken[0]).toBe("ended");
  const [next, refused] = [turns.take(1, () => long.promise), turns.take(1, () => long.promise)];
  expect(await refused).toBeNull();
  long.resolve("done");
  expect(await Promise.all([taken[1], next])).toEqual(["done", "done"]);
});

test("who has waited too long runs nothing, and its place is free for others", async () => {
  const turns = new Turns({ slots: 1, slotsOfOne: 1, patienceMs: 30 });
  const long = Promise.withResolvers<string>();
  const first = turns.take(1, () => long.promise);
  const late = await Promise.all([turns.take(1, async () => "late"), turns.take(2, async () => "late")]);
  expect(late).toEqual([null, null]);
  long.resolve("done");
  expect(await first).toBe("done");
  expect(await Promise.all([1, 2, 3].map((owner) => turns.take(owner, async () => owner)))).toEqual([1, 2, 3]);
});

test("a failure frees its slot", async () => {
  const turns = new Turns({ slots: 1, slotsOfOne: 1, patienceMs: 30 });
  await expect(turns.take(1, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await turns.take(1, async () => "next")).toBe("next");
});
