import { expect, test } from "vitest";
import { isLong, seed } from "./form.ts";
import { onScratchDesk } from "./scratch.ts";
import { runStorm } from "./storm.ts";

const SIZE = 50;
const seeds = Array.from({ length: isLong ? 10 : 1 }, (_, index) => seed + index);
const TIMEOUT_MS = 180_000;

const storm = (stormSeed: number, size: number) =>
  onScratchDesk((desk) => runStorm(desk, { seed: stormSeed, size, violent: true }));

/** Halves the requests of a failing seed as long as it fails. */
async function shrink(stormSeed: number, wrong: string[]): Promise<string> {
  let smallest = { size: SIZE, wrong };
  for (let size = SIZE >> 1; size > 0; size >>= 1) {
    const found = await storm(stormSeed, size);
    if (found.length === 0) break;
    smallest = { size, wrong: found };
  }
  return `seed ${stormSeed}, first ${smallest.size} requests:\n${smallest.wrong.join("\n")}`;
}

test.each(seeds)(
  `${SIZE} mixed requests at once, a failing provider, killed servers, broken connections: books exact (seed %i)`,
  async (stormSeed) => {
    const wrong = await storm(stormSeed, SIZE);
    if (wrong.length > 0) expect.fail(await shrink(stormSeed, wrong));
  },
  TIMEOUT_MS,
);
