import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { setTracer } from "#lib/domain/trace.ts";
import { batchPerTurn, Procession } from "./batch.ts";

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

describe("batchPerTurn with limits", () => {
  it("has no more calls in flight than allowed, and the waiting questions share the next", async () => {
    const calls: number[][] = [];
    const release: (() => void)[] = [];
    const ask = batchPerTurn(
      async (questions: readonly number[]) => {
        calls.push([...questions]);
        await new Promise<void>((resolve) => release.push(resolve));
        return questions;
      },
      { inFlight: 1, size: 3 },
    );
    const answers = [1, 2, 3, 4].map(ask);
    await nextTurn();
    answers.push(ask(5));
    await nextTurn();
    expect(calls).toEqual([[1, 2, 3]]);
    release[0]?.();
    await answers[0];
    await nextTurn();
    await nextTurn();
    expect(calls).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    release[1]?.();
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5]);
  });

  it("asks the questions of a failed call again, each alone, if told so", async () => {
    const ask = batchPerTurn(
      async (questions: readonly number[]) => {
        if (questions.includes(2)) throw new Error("not two");
        return questions;
      },
      { asksAgain: () => true },
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map(ask));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("lets the next questions go ahead of those that are asked again", async () => {
    const release: (() => void)[] = [];
    const ask = batchPerTurn(
      async (questions: readonly number[]) => {
        if (questions.length > 1) throw new Error("only one at a time");
        if (questions[0] === 1) await new Promise<void>((resolve) => release.push(resolve));
        return questions;
      },
      { inFlight: 1, asksAgain: () => true },
    );
    const [one, two] = [ask(1), ask(2)];
    expect(await two).toBe(2);
    expect(await ask(3)).toBe(3);
    release[0]?.();
    expect(await one).toBe(1);
  });

  it("rejects a question that has waited too long for its turn as unavailable, and does not ask it again", async () => {
    const calls: number[][] = [];
    const ask = batchPerTurn(
      async (questions: readonly number[]) => {
        calls.push([...questions]);
        await sleep(30);
        throw new Error("away");
      },
      { inFlight: 1, size: 2, asksAgain: () => true, patienceMs: 20 },
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map(ask));
    expect(outcomes.map((outcome) => outcome.status === "rejected" && String(outcome.reason))).toEqual([
      "Error: away",
      "Error: away",
      expect.stringContaining("temporarily unavailable"),
    ]);
    expect(calls).toEqual([[1, 2]]);
  });

  it("asks the questions of a call that timed out again, each alone, however long they have waited", async () => {
    const ask = batchPerTurn(
      async (questions: readonly number[]) => {
        if (!questions.includes(2)) return questions;
        await sleep(30);
        throw new Error("timeout");
      },
      { inFlight: 1, asksAgain: () => true, timedOut: () => true, patienceMs: 20 },
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map(ask));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("asks a question that timed out alone besides all others, until it is answered", async () => {
    const calls: number[][] = [];
    let isSlow = true;
    const release: (() => void)[] = [];
    const ask = batchPerTurn(
      async (questions: readonly number[]) => {
        calls.push([...questions]);
        if (!questions.includes(2)) return questions;
        if (isSlow) throw new Error("timeout");
        await new Promise<void>((resolve) => release.push(resolve));
        return questions;
      },
      { inFlight: 1, asksAgain: () => true, timedOut: () => true, keyOf: String },
    );
    await expect(ask(2)).rejects.toThrow("timeout");
    await expect(ask(2)).rejects.toThrow("timeout");
    isSlow = false;
    const slow = ask(2);
    expect(await Promise.all([1, 3].map(ask))).toEqual([1, 3]);
    expect(await ask(4)).toBe(4);
    expect(calls).toEqual([[2], [2], [2], [1, 3], [4]]);
    release[0]?.();
    expect(await slow).toBe(2);
    void Promise.all([1, 2].map(ask));
    await nextTurn();
    await nextTurn();
    expect(calls.at(-1)).toEqual([1, 2]);
  });

  it("rejects a question in time while the calls before it hang", async () => {
    const ask = batchPerTurn((questions: readonly number[]) => new Promise<number[]>(() => void questions), {
      inFlight: 1,
      patienceMs: 20,
    });
    void ask(1);
    await nextTurn();
    const outcomes = await Promise.allSettled([ask(2), sleep(10).then(() => ask(3))]);
    expect(outcomes.map((outcome) => outcome.status === "rejected" && String(outcome.reason))).toEqual([
      expect.stringContaining("temporarily unavailable"),
      expect.stringContaining("temporarily unavailable"),
    ]);
  });

  it("runs a traced call in the context of the request that asked first, also if it had to wait", async () => {
    setTracer({ run: (_, work) => work({ rename() {}, set() {}, fail() {} }) });
    onTestFinished(() => setTracer(null));
    const request = new AsyncLocalStorage<string>();
    const ask = batchPerTurn(async (questions: readonly string[]) => questions.map(() => request.getStore()), {
      inFlight: 1,
      size: 1,
    });
    const askAs = (name: string) => request.run(name, () => ask(name));
    expect(await Promise.all(["a", "b", "c"].map(askAs))).toEqual(["a", "b", "c"]);
  });
});

describe("batchPerTurn with a procession", () => {
  /** Two batches, one after the other, and the calls of both. */
  function twoSteps(fewest: number) {
    const procession = new Procession(fewest);
    const calls: string[] = [];
    const step = (name: string) =>
      batchPerTurn(
        async (questions: readonly number[]) => {
          calls.push(`${name} ${questions.join()}`);
          await sleep(1);
          return questions;
        },
        { inFlight: 1, procession },
      );
    const [first, second] = [step("first"), step("second")];
    return { calls, walk: async (question: number) => second(await first(question)) };
  }

  it("lets the first half of all be asked the next question while the second half is asked the one before", async () => {
    const { calls, walk } = twoSteps(1);
    await Promise.all([1, 2, 3, 4].map(walk));
    expect(calls).toEqual(["first 1,2", "first 3,4", "second 1,2", "second 3,4"]);
  });

  it("keeps the halves together for those that come soon after", async () => {
    const { calls, walk } = twoSteps(1);
    await Promise.all([1, 2, 3, 4].map(walk));
    await Promise.all([5, 6].map(walk));
    expect(calls.slice(4)).toEqual(["first 5,6", "second 5,6"]);
  });

  it("divides none that are too few to be worth it", async () => {
    const { calls, walk } = twoSteps(4);
    await Promise.all([1, 2, 3, 4].map(walk));
    expect(calls).toEqual(["first 1,2,3,4", "second 1,2,3,4"]);
  });

  it("holds a short list back while another call is under way, until it is half of all", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const calls: string[] = [];
    const release: (() => void)[] = [];
    const ask = batchPerTurn(
      async (questions: readonly number[]) => {
        calls.push(questions.join());
        await new Promise<void>((resolve) => release.push(resolve));
        return questions;
      },
      { inFlight: 2, procession: new Procession(1) },
    );
    const turns = async () => {
      for (let i = 0; i < 4; i++) await nextTurn();
    };
    const answers = [1, 2, 3, 4].map(ask);
    await turns();
    expect(calls).toEqual(["1,2", "3,4"]);
    release[0]?.();
    await turns();
    answers.push(ask(5));
    await turns();
    expect(calls).toHaveLength(2);
    answers.push(ask(6));
    await turns();
    expect(calls[2]).toBe("5,6");
    release[1]?.();
    await turns();
    answers.push(ask(7));
    await turns();
    expect(calls).toHaveLength(3);
    release[2]?.();
    await turns();
    expect(calls[3]).toBe("7");
    release[3]?.();
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it("asks both halves of an odd number at the same time", async () => {
    const calls: number[] = [];
    const ask = batchPerTurn(
      (questions: readonly number[]) => {
        calls.push(questions.length);
        return new Promise<number[]>(() => undefined);
      },
      { inFlight: 2, procession: new Procession(1) },
    );
    for (const question of [1, 2, 3, 4, 5]) void ask(question);
    await nextTurn();
    expect(calls).toEqual([3, 2]);
  });

  it("does not hold a list back for long while a call hangs", async () => {
    const hangs = (questions: readonly number[]) => questions.includes(1);
    const ask = batchPerTurn(
      (questions: readonly number[]) =>
        hangs(questions) ? new Promise<number[]>(() => undefined) : Promise.resolve(questions),
      { inFlight: 2, procession: new Procession(1) },
    );
    void ask(1);
    void ask(2);
    expect(await ask(3)).toBe(3);
  }, 1_000);

  it("forgets the requests that have left, answered or not", async () => {
    const procession = new Procession(1);
    const ask = batchPerTurn(
      async (questions: readonly number[]) => {
        if (questions.includes(2)) throw new Error("not two");
        return questions;
      },
      { inFlight: 1, procession },
    );
    await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map(ask));
    for (let i = 0; i < 200; i++) await ask(1);
    expect(procession.longestList()).toBe(1);
  });
});
