import { AsyncLocalStorage } from "node:async_hooks";
import type { Turns } from "#lib/domain/turns.ts";
import type { ProviderShare, ProviderTurns } from "#lib/ports/license-provider.ts";
import type { AnswerHeaders } from "./dispatch-transport.ts";

const MS_PER_SECOND = 1_000;
/** The interface counts requests by the minute (contract 1.5). */
const WINDOW_MS = 60_000;
/** Two answers in one window can report ends that differ by a second. */
const SAME_WINDOW_MS = 2_000;
/** A reseller starts nothing more once it has started nine times what is left of the limit: the rest is for others. */
const STARTED_FOR_EACH_LEFT = 9;
/** How often a waiting operation checks whether its share has grown. */
const LOOK_EVERY_MS = 200;

/** An operation under way. */
interface Operation {
  readonly resellerId: number;
  /** Its requests that the provider has not counted yet, as far as is known. */
  unanswered: number;
}

/**
 * Shares the rate limit of our account at a provider among resellers. The provider's answers report how many requests
 * are left, and when its window ends. The first reseller gets nine tenths of the limit, the next one nine tenths of the
 * rest.
 */
export class RateShare implements ProviderTurns {
  readonly #turns: Turns;
  readonly #patienceMs: number;
  #limit = Number.POSITIVE_INFINITY;
  #remaining = Number.POSITIVE_INFINITY;
  /** End of the window by the provider's clock, which identifies it. */
  #resetsAtMs = 0;
  /** The same by our monotonic clock. */
  #endsAtMs = 0;
  /** Requests by reseller in this window. */
  readonly #started = new Map<number, number>();
  readonly #underWay = new Set<Operation>();
  readonly #running = new AsyncLocalStorage<Operation>();

  /** @param patienceMs how long an operation waits for its share, in addition to the wait for its turn */
  constructor(turns: Turns, patienceMs: number) {
    this.#turns = turns;
    this.#patienceMs = patienceMs;
  }

  noteAnswer(headers: AnswerHeaders): void {
    const operation = this.#running.getStore();
    if (operation && operation.unanswered > 0) operation.unanswered--;
    const remaining = Number(headers["x-ratelimit-remaining"]);
    const resetsAtMs = Number(headers["x-ratelimit-reset"]) * MS_PER_SECOND;
    if (!(remaining >= 0) || !Number.isFinite(resetsAtMs)) return;
    const isLater = resetsAtMs > this.#resetsAtMs + SAME_WINDOW_MS;
    if (isLater || performance.now() >= this.#endsAtMs) {
      // Measured by the provider's clock, because ours may differ.
      const answeredAtMs = Date.parse(String(headers.date));
      const leftMs = Number.isNaN(answeredAtMs) ? WINDOW_MS : resetsAtMs - answeredAtMs;
      if (leftMs <= 0) return;
      this.#beginWindow();
      this.#limit = Number(headers["x-ratelimit-limit"]) || Number.POSITIVE_INFINITY;
      this.#resetsAtMs = resetsAtMs;
      this.#endsAtMs = performance.now() + Math.min(leftMs, WINDOW_MS);
      this.#remaining = remaining;
    } else if (resetsAtMs < this.#resetsAtMs - SAME_WINDOW_MS) return;
    // Answers can arrive in another order than the provider counted them.
    this.#remaining = Math.min(this.#remaining, remaining);
  }

  /**
   * Calls `run`, which sends that many requests, in the reseller's turn and once its share covers all of them. Returns
   * null without calling it if that takes too long.
   */
  async take<Result>({ resellerId, requests }: ProviderShare, run: () => Promise<Result>): Promise<Result | null> {
    for (const untilMs = performance.now() + this.#patienceMs; ; ) {
      const turn = await this.#turns.take(resellerId, async () => {
        const operation = this.#start({ resellerId, requests });
        if (operation === null) return "used up";
        const result = await this.#running.run(operation, run).finally(() => this.#underWay.delete(operation));
        return { result };
      });
      if (turn === null) return null;
      if (turn !== "used up") return turn.result;
      const nowMs = performance.now();
      if (nowMs + this.usedUpForMs({ resellerId, requests }) >= untilMs) return null;
      await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_EVERY_MS, untilMs - nowMs)));
    }
  }

  /** Operations in progress may send less than they reserved; what the provider has counted stays for the window. */
  usedUpForMs(share: ProviderShare): number {
    return this.#allows(share, this.#remaining) ? 0 : Math.max(0, this.#endsAtMs - performance.now());
  }

  #allows({ resellerId, requests }: ProviderShare, left: number): boolean {
    if ((this.#started.get(resellerId) ?? 0) >= left * STARTED_FOR_EACH_LEFT) return false;
    // An operation that hits the limit half-way is reverted at a loss. One larger than any window may try.
    return left >= requests || (requests > this.#limit && this.#started.size === 0);
  }

  #start({ resellerId, requests }: ProviderShare): Operation | null {
    if (performance.now() >= this.#endsAtMs) {
      this.#beginWindow();
      this.#remaining = Number.POSITIVE_INFINITY;
    }
    const unanswered = [...this.#underWay].reduce((sum, operation) => sum + operation.unanswered, 0);
    if (!this.#allows({ resellerId, requests }, Math.max(0, this.#remaining - unanswered))) return null;
    this.#count(resellerId, requests);
    const operation: Operation = { resellerId, unanswered: requests };
    this.#underWay.add(operation);
    return operation;
  }

  /** Unanswered requests count in the new window, too: the provider may count them there. */
  #beginWindow(): void {
    this.#started.clear();
    for (const { resellerId, unanswered } of this.#underWay) this.#count(resellerId, unanswered);
  }

  #count(resellerId: number, requests: number): void {
    this.#started.set(resellerId, (this.#started.get(resellerId) ?? 0) + requests);
  }
}
