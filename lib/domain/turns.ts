export interface TurnOptions {
  readonly slots: number;
  /** Most slots of one owner at a time, so that its slow turns leave slots to others. */
  readonly slotsOfOne: number;
  /** A request that has waited this long gets no turn. */
  readonly patienceMs: number;
}

/** A reseller, or a visitor's source. */
export type TurnOwner = number | string;

/** Shares a few slots among owners. Waiting owners get free slots in turn, however many requests each has. */
export class Turns {
  readonly #options: TurnOptions;
  #free: number;
  readonly #held = new Map<TurnOwner, number>();
  /** Owners in the order of their last turn, the longest ago first. */
  readonly #waiting = new Map<TurnOwner, Set<() => void>>();

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#free = options.slots;
  }

  /** Calls `run` in the owner's turn. Returns null without calling it if no turn came in time. */
  async take<Result>(owner: TurnOwner, run: () => Promise<Result>): Promise<Result | null> {
    if (this.#mayBegin(owner)) this.#begin(owner);
    else if (!(await this.#wait(owner))) return null;
    try {
      return await run();
    } finally {
      this.#end(owner);
    }
  }

  #mayBegin(owner: TurnOwner): boolean {
    return this.#free > 0 && (this.#held.get(owner) ?? 0) < this.#options.slotsOfOne;
  }

  #begin(owner: TurnOwner): void {
    this.#free--;
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1);
  }

  #end(owner: TurnOwner): void {
    this.#free++;
    const held = (this.#held.get(owner) ?? 0) - 1;
    if (held > 0) this.#held.set(owner, held);
    else this.#held.delete(owner);
    this.#passOn();
  }

  async #wait(owner: TurnOwner): Promise<boolean> {
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

  /** Passes a freed slot to the first waiting owner below its maximum. */
  #passOn(): void {
    for (const [owner, waiting] of this.#waiting) {
      const [begin] = waiting;
      if (begin === undefined || !this.#mayBegin(owner)) continue;
      waiting.delete(begin);
      this.#waiting.delete(owner);
      if (waiting.size > 0) this.#waiting.set(owner, waiting);
      this.#begin(owner);
      begin();
      return;
    }
  }
}
