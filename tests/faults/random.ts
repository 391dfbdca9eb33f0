/** A seeded random generator (mulberry32). */
export interface Random {
  /** From 0 up to, but not including, `below`. */
  integer(below: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    integer: (below) => Math.floor(next() * below),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  };
}

export function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const random = createRandom(seed);
  return items
    .map((item) => ({ item, place: random.integer(2 ** 31) }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
