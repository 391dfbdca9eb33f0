import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { batchPerTurn } from "./batch.ts";

describe("batchPerTurn", () => {
  it("answers all questions of one turn with one call, each with its own answer", async () => {
    const calls: string[][] = [];
    const ask = batchPerTurn(async (questions: readonly string[]) => {
      calls.push([...questions]);
      return questions.map((question) => question.toUpperCase());
    });
    expect(await Promise.all([ask("a"), ask("b"), ask("a")])).toEqual(["A", "B", "A"]);
    expect(calls).toEqual([["a", "b", "a"]]);
  });

  it("does not delay later questions until an answer arrives", async () => {
    const release: (() => void)[] = [];
    const ask = batchPerTurn(async (questions: readonly number[]) => {
      await new Promise<void>((resolve) => release.push(resolve));
      return questions;
    });
    const first = ask(1);
    await nextTurn();
    const second = ask(2);
    await nextTurn();
    expect(release).toHaveLength(2);
    release[1]?.();
    expect(await second).toBe(2);
    release[0]?.();
    expect(await first).toBe(1);
  });

  it("rejects only the questions of the failed turn", async () => {
    let isAway = true;
    const ask = batchPerTurn(async (questions: readonly number[]) => {
      if (isAway) throw new Error("away");
      return questions;
    });
    const outcomes = await Promise.allSettled([ask(1), ask(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    isAway = false;
    expect(await ask(3)).toBe(3);
  });
});
