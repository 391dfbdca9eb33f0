import { setTimeout as sleep } from "node:timers/promises";
import type { Turns } from "#lib/domain/turns.ts";
import type { ProviderShare } from "#lib/ports/license-provider.ts";

const MS_PER_SECOND = 1_000;
/** As the interface counts (contract 1.5). */
const WINDOW_MS = 60_000;
/** Answers of one window may name its end a second apart. */
const SAME_WINDOW_MS = 2_000;
/** What is left stays below a tenth of what one reseller has started: it leaves that to others. */
const STARTED_FOR_EACH_LEFT = 9;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Shares the rate limit of our account at a provider, which all resellers use together. Its answers say how many requests
 * it leaves until when. A reseller that is alone there gets nine tenths of the limit, the next one nine tenths of the rest.
 */
export class RateShare {
  #remaining = Number.POSITIVE_INFINITY;
  /** By the provider's clock: names the window. */
  #resetsAtMs = 0;
  /** By a clock that never steps. */
  #endsAtMs = 0;
  /** Requests by reseller in this window. */
  #started = new Map<number, number>();
  /** Requests by reseller that count in the next window, too. */
  readonly #underWay = new Map<number, number>();

  noteAnswer(headers: Headers): void {
    const remaining = Number(headers["x-ratelimit-remaining"]);
    const resetsAtMs = Number(headers["x-ratelimit-reset"]) * MS_PER_SECOND;
    if (!(remaining >= 0) || !Number.isFinite(resetsAtMs)) return;
    const isLater = resetsAtMs > this.#resetsAtMs + SAME_WINDOW_MS;
    if (isLater || performance.now() >= this.#endsAtMs) {
      // The provider's own clock says for how long.
      const answeredAtMs = Date.parse(String(headers.date));
      const leftMs = Number.isNaN(answeredAtMs) ? WINDOW_MS : resetsAtMs - answeredAtMs;
      if (leftMs <= 0) return;
      this.#started = new Map(this.#underWay);
      this.#resetsAtMs = resetsAtMs;
      this.#endsAtMs = performance.now() + Math.min(leftMs, WINDOW_MS);
      this.#remaining = remaining;
    } else if (resetsAtMs < this.#resetsAtMs - SAME_WINDOW_MS) return;
    // Answers may arrive in another order than they were counted in.
    this.#remaining = Math.min(this.#remaining, remaining);
  }

  /**
   * Runs what sends so many requests in the reseller's turn, once its share allows all of them. Null: that took too long, and
   * nothing was run.
   */
  async take<Result>(
    turns: Turns,
    patienceMs: number,
    { resellerId, requests }: ProviderShare,
    run: () => Promise<Result>,
  ): Promise<Result | null> {
    for (const untilMs = performance.now() + patienceMs; ; ) {
      const turn = await turns.take(resellerId, async () =>
        this.#start(resellerId, requests)
          ? { result: await run().finally(() => add(this.#underWay, resellerId, -requests)) }
          : "used up",
      );
      if (turn === null) return null;
      if (turn !== "used up") return turn.result;
      const nowMs = performance.now();
      if (nowMs >= untilMs) return null;
      await sleep(Math.max(0, Math.min(this.#endsAtMs, untilMs) - nowMs));
    }
  }

  #start(resellerId: number, requests: number): boolean {
    if (performance.now() >= this.#endsAtMs) {
      this.#started = new Map(this.#underWay);
      this.#remaining = Number.POSITIVE_INFINITY;
    }
    const underWay = [...this.#underWay.values()].reduce((sum, count) => sum + count, 0);
    const left = Math.max(0, this.#remaining - underWay);
    if ((this.#started.get(resellerId) ?? 0) >= left * STARTED_FOR_EACH_LEFT) return false;
    // What is stopped in the middle is reverted, at a loss. A whole window may be smaller than it is.
    if (left < requests && this.#started.size > 0) return false;
    add(this.#started, resellerId, requests);
    add(this.#underWay, resellerId, requests);
    return true;
  }
}

function add(counts: Map<number, number>, resellerId: number, change: number): void {
  const count = (counts.get(resellerId) ?? 0) + change;
  if (count === 0) counts.delete(resellerId);
  else counts.set(resellerId, count);
}
