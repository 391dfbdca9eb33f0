import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WaitingLine } from "./waiting-line.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const limits = { perAccount: 3, perSource: 2, total: 6 };
const from = (source: string, { account = "ada", attempts = 5 } = {}) => ({ account, source, attempts });

describe("a line of delayed attempts", () => {
  test("releases each attempt after its delay, and one without delay immediately", async () => {
    const line = new WaitingLine(limits);
    expect(await line.wait(from("one"), 0)).toBe(true);
    const waiting = line.wait(from("one"), 8_000);
    await vi.advanceTimersByTimeAsync(7_999);
    expect(line.length).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toBe(true);
    expect(line.length).toBe(0);
  });

  test("has room for two attempts per source, across accounts", async () => {
    const line = new WaitingLine(limits);
    void line.wait(from("one"), 8_000);
    expect(line.isFullFor("one")).toBe(false);
    void line.wait(from("one", { account: "ben" }), 8_000);
    expect(line.isFullFor("one")).toBe(true);
    expect(await line.wait(from("one", { account: "eve", attempts: 0 }), 8_000)).toBe(false);
    expect(line.length).toBe(2);
  });

  test("gives the place of the most frequent source to an attempt from a less frequent one", async () => {
    const line = new WaitingLine(limits);
    const strangers = [20, 40, 30].map((attempts, n) => line.wait(from(`stranger ${n}`, { attempts }), 8_000));
    expect(await line.wait(from("another stranger", { attempts: 40 }), 8_000)).toBe(false);
    const owner = line.wait(from("new laptop", { attempts: 0 }), 8_000);
    expect(await strangers[1]).toBe(false);
    await vi.advanceTimersByTimeAsync(8_000);
    expect([await strangers[0], await strangers[2], await owner]).toEqual([true, true, true]);
  });

  test("never exceeds its limit", async () => {
    const line = new WaitingLine(limits);
    for (let n = 0; n < 1_000; n++) {
      void line.wait(from(`source ${n}`, { account: `account ${n}`, attempts: 1_000 - n }), 8_000);
      expect(line.length).toBeLessThanOrEqual(limits.total);
    }
    await vi.advanceTimersByTimeAsync(8_000);
    expect(line.length).toBe(0);
  });
});
