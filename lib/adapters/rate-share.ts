import { setTimeout as sleep } from "node:timers/promises";
import type { Turns } from "#lib/domain/turns.ts";

const MS_PER_SECOND = 1_000;
/** As the interface counts (contract 1.5). A provider's clock that is ahead stops nobody for longer. */
const WINDOW_MS = 60_000;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Shares the rate limit of our account at a provider, which all resellers use together. Its answers say how many requests
 * it leaves until when. A reseller starts no more operations in that time than are left: alone it gets half of the limit,
 * the next one half of the rest.
 */
export class RateShare {
  #remaining = Number.POSITIVE_INFINITY;
  /** By the provider's clock: names the window. */
  #resetsAtMs = 0;
  #endsAtMs = 0;
  readonly #started = new Map<number, number>();

  noteAnswer(headers: Headers): void {
    const remaining = Number(headers["x-ratelimit-remaining"]);
    const resetsAtMs = Number(headers["x-ratelimit-reset"]) * MS_PER_SECOND;
    if (!(remaining >= 0) || !(resetsAtMs >= this.#resetsAtMs)) return;
    if (resetsAtMs > this.#resetsAtMs) {
      this.#started.clear();
      this.#resetsAtMs = resetsAtMs;
      this.#endsAtMs = Math.min(resetsAtMs, Date.now() + WINDOW_MS);
      this.#remaining = remaining;
    }
    // Answers may arrive in another order than they were counted in.
    this.#remaining = Math.min(this.#remaining, remaining);
  }

  /** Runs it in the owner's turn, once its share allows it. Null: that took too long, and nothing was run. */
  async take<Result>(
    turns: Turns,
    patienceMs: number,
    owner: number,
    run: () => Promise<Result>,
  ): Promise<Result | null> {
    for (const untilMs = Date.now() + patienceMs; ; ) {
      const turn = await turns.take(owner, async () => (this.#start(owner) ? { result: await run() } : "used up"));
      if (turn === null) return null;
      if (turn !== "used up") return turn.result;
      const waitMs = Math.min(this.#endsAtMs, untilMs) - Date.now();
      if (waitMs <= 0) return null;
      await sleep(waitMs);
    }
  }

  #start(owner: number): boolean {
    if (Date.now() >= this.#endsAtMs) {
      this.#started.clear();
      this.#remaining = Number.POSITIVE_INFINITY;
    }
    const started = this.#started.get(owner) ?? 0;
    if (started >= this.#remaining) return false;
    this.#started.set(owner, started + 1);
    return true;
  }
}
