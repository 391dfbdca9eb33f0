/** A delayed attempt. */
export interface Waiter {
  readonly account: string;
  readonly source: string;
  /** Earlier attempts from its source. */
  readonly attempts: number;
}

export interface WaitingLineLimits {
  readonly perAccount: number;
  readonly perSource: number;
  readonly total: number;
}

/**
 * Delayed attempts. Has few places, so a flood costs little memory and does not speed up guesses. When an account's
 * places are taken, the attempt from the most frequent source loses its place, so an owner on a new device can still
 * sign in.
 */
export class WaitingLine {
  readonly #limits: WaitingLineLimits;
  readonly #waiting = new Map<Waiter, () => void>();

  constructor(limits: WaitingLineLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#waiting.size;
  }

  /** Whether the source has all of its places in use. */
  isFullFor(source: string): boolean {
    return this.#count((waiter) => waiter.source === source) >= this.#limits.perSource;
  }

  /** Resolves to true after the delay, or to false without a place. */
  wait(waiter: Waiter, delayMs: number): Promise<boolean> {
    if (delayMs === 0) return Promise.resolve(true);
    if (this.isFullFor(waiter.source) || !this.#makeRoom(waiter)) return Promise.resolve(false);
    return new Promise((resolve) => {
      const leave = (isOver: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        resolve(isOver);
      };
      const timer = setTimeout(() => leave(true), delayMs);
      this.#waiting.set(waiter, () => leave(false));
    });
  }

  #makeRoom(newcomer: Waiter): boolean {
    const { perAccount, total } = this.#limits;
    const rivals = [...this.#waiting.keys()].filter(({ account }) => account === newcomer.account);
    if (rivals.length >= perAccount) return this.#displace(rivals, newcomer);
    if (this.#waiting.size >= total) return this.#displace([...this.#waiting.keys()], newcomer);
    return true;
  }

  #displace(rivals: readonly Waiter[], newcomer: Waiter): boolean {
    const worst = rivals.reduce((one, other) => (other.attempts > one.attempts ? other : one));
    if (worst.attempts <= newcomer.attempts) return false;
    this.#waiting.get(worst)?.();
    return true;
  }

  #count(condition: (waiter: Waiter) => boolean): number {
    let count = 0;
    for (const waiter of this.#waiting.keys()) if (condition(waiter)) count += 1;
    return count;
  }
}
