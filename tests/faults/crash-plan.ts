import type { CrashMoment } from "./crash-at.ts";
import { type CrashCase, findCrashPoints, recoveries, type Servers } from "./crash-case.ts";
import type { Desk } from "./desk.ts";
import { isLong, seed } from "./form.ts";
import { shuffle } from "./random.ts";
import { type Fault, faultNames, type VerbName } from "./verbs.ts";

const MOMENTS: readonly CrashMoment[] = isLong ? ["before", "during", "after"] : ["after"];
/** The short form tries this many faults per verb, each at some of their steps. */
const SHORT_FAULTS = 3;
const SHORT_STRIDE = 5;

/** All faults, or in the short form a selection by seed. */
function chooseFaults(position: number): readonly Fault[] {
  const [none, ...others] = faultNames;
  if (isLong || none === undefined) return faultNames;
  return [
    none,
    ...Array.from({ length: SHORT_FAULTS }, (_, index) => others[(position + 2 * index) % others.length]),
  ].filter((fault) => fault !== undefined);
}

/** The cases of these verbs, with the numbers of crash points and faults. */
export async function planCrashes(
  desk: Desk,
  servers: Servers,
  verbs: readonly VerbName[],
): Promise<{ readonly cases: CrashCase[]; readonly pointCount: number; readonly faultCount: number }> {
  const cases: CrashCase[] = [];
  const tried = new Set<Fault>();
  let pointCount = 0;
  let position = seed;
  for (const [index, verb] of verbs.entries()) {
    for (const fault of chooseFaults(seed + index)) {
      tried.add(fault);
      const points = [...(await findCrashPoints(desk, servers, verb, fault, MOMENTS)), null];
      pointCount += points.length;
      for (const point of points) {
        position += 1;
        if (!isLong && fault !== "none" && position % SHORT_STRIDE !== 0) continue;
        const recovery = recoveries[(position + Math.floor(position / 3)) % 3] ?? "caller first";
        cases.push({ verb, fault, point, recovery });
      }
    }
  }
  // Shuffled, so that an aborted run has tried some of everything.
  return { cases: shuffle(cases, seed), pointCount, faultCount: tried.size };
}
