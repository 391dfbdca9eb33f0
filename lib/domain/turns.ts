export interface TurnOptions {
  readonly slots: number;
  /** Who has waited this long gets no turn. */
  readonly patienceMs: number;
}

/** What several owners want to do with few slots: whoever waits, owners get free slots in turn, however much each wants. */
export class Turns {
  readonly #options: TurnOptions;
  #free: number;
  /** Who has gone without a turn for the longest time first. */
  readonly #waiting = new Map<number, Set<() => void>>();

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#free = options.slots;
  }

  /** Runs it in its turn. Null: no turn came, and nothing was run. */
  async take<Result>(owner: number, run: () => Promise<Result>): Promise<Result | null> {
    if (this.#free > 0) this.#free--;
    else if (!(await this.#wait(owner))) return null;
    try {
      return await run();
    } finally {
      this.#passOn();
    }
  }

  async #wait(owner: number): Promise<boolean> {
    const turn = Promise.withResolvers<boolean>();
    const begin = () => turn.resolve(true);
    const waiting = this.#waiting.get(owner) ?? new Set();
    this.#waiting.set(owner, waiting.add(begin));
    const patience = setTimeout(() => {
      if (waiting.delete(begin) && waiting.size === 0) this.#waiting.delete(owner);
      turn.resolve(false);
    }, this.#options.patienceMs);
    return turn.promise.finally(() => clearTimeout(patience));
  }

  #passOn(): void {
    for (const [owner, waiting] of this.#waiting) {
      for (const begin of waiting) {
        waiting.delete(begin);
        this.#waiting.delete(owner);
        if (waiting.size > 0) this.#waiting.set(owner, waiting);
        begin();
        return;
      }
    }
    this.#free++;
  }
}
