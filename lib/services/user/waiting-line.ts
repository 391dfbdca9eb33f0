/** Somebody who waits out the delay of their attempt. */
export interface Waiter {
  readonly account: string;
  readonly source: string;
  /** Earlier attempts from the source. */
  readonly attempts: number;
}

export interface WaitingLineLimits {
  readonly perAccount: number;
  readonly perSource: number;
  readonly total: number;
}

/**
 * Where delayed attempts wait. It has room for few, so a flood costs little memory and guesses no faster than the delay
 * allows. When an account's room is taken, the attempt from the source that has tried most often gives way: an owner on
 * a new device still gets in while strangers hold the line.
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

  /** Whether the source has as many attempts here as it may have. */
  isFullFor(source: string): boolean {
    return this.#count((waiter) => waiter.source === source) >= this.#limits.perSource;
  }

  /** Resolves to true once the delay is over, or to false if there is no room or the attempt had to give way. */
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
