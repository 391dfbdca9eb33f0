/** Contenders take turns in each round, because a disturbance of the machine then affects all of them. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Budget, type ContenderReport, median, spread } from "./report.ts";

const ROUNDS = 5;
const ROUND_SECONDS = 3;
/** Long enough for the JIT to finish: a whole server's code is still being compiled after ten seconds of load. */
const WARM_UP_SECONDS = 15;
/** Pending writes of one contender must not slow down the next. */
const SETTLE_MS = 300;

export const roundsText = `${ROUNDS} rounds of ${ROUND_SECONDS} s in turn`;

export interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Contender {
  readonly name: string;
  measure(seconds: number): Promise<Round>;
}

/** A contender and its rounds, in the order of the run. */
export interface Measured {
  readonly name: string;
  readonly rounds: readonly Round[];
}

/**
 * The contenders in the given order; their first turn warms up and does not count.
 * @param afterWarmUp such as statistics for a database that the warm-up has filled
 */
export async function measureInTurn<const Names extends readonly Contender[]>(
  contenders: Names,
  log: (line: string) => void,
  afterWarmUp: () => Promise<unknown> = async () => undefined,
): Promise<{ [Index in keyof Names]: Measured }> {
  const rounds = contenders.map((): Round[] => []);
  for (let round = 0; round <= ROUNDS; round++) {
    log(round === 0 ? "Warming up." : `Round ${round} of ${ROUNDS}.`);
    for (const [index, contender] of contenders.entries()) {
      const measured = await contender.measure(round === 0 ? WARM_UP_SECONDS : ROUND_SECONDS);
      if (round > 0) rounds[index]?.push(measured);
      await sleep(SETTLE_MS);
    }
    if (round === 0) await afterWarmUp();
  }
  const measured = contenders.map(({ name }, index) => ({ name, rounds: rounds[index] ?? [] }));
  return measured as { [Index in keyof Names]: Measured };
}

/** Each client waits for a response before its next request. */
export function closedLoop(name: string, clients: number, ask: (client: number) => Promise<unknown>): Contender {
  return {
    name,
    async measure(seconds) {
      const startedAt = performance.now();
      const until = startedAt + seconds * 1000;
      const timesMs: number[] = [];
      await Promise.all(
        Array.from({ length: clients }, async (_, client) => {
          for (let askedAt = performance.now(); askedAt < until; askedAt = performance.now()) {
            await ask(client);
            timesMs.push(performance.now() - askedAt);
          }
        }),
      );
      const sorted = timesMs.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
      return { perSecond: timesMs.length / ((performance.now() - startedAt) / 1000), p50Ms: at(0.5), p99Ms: at(0.99) };
    },
  };
}

/** The median of the rounds' ratios of `a` to `b`, by default of their throughput. */
export function compare(
  name: string,
  [a, b]: readonly [Measured, Measured],
  budget: Pick<Budget, "limit" | "comparison">,
  figure: keyof Round = "perSecond",
): Budget {
  const ratios = a.rounds.map((round, index) => round[figure] / (b.rounds[index]?.[figure] ?? Number.NaN));
  return { name, figure: median(ratios), ...budget, spread: Math.max(summarize(a).spread, summarize(b).spread) };
}

export function summarize({ name, rounds }: Measured): ContenderReport {
  const perSecond = rounds.map((round) => round.perSecond);
  return {
    name,
    perSecond: median(perSecond),
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    spread: spread(perSecond),
  };
}
