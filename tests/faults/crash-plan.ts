import type { CrashMoment } from "./crash-at.ts";
import { type CrashCase, findCrashPoints, recoveries, type Servers } from "./crash-case.ts";
import type { Desk } from "./desk.ts";
import { isLong, seed } from "./form.ts";
import { shuffle } from "./random.ts";
import { type Fault, faultNames, type VerbName } from "./verbs.ts";

const MOMENTS: readonly CrashMoment[] = isLong ? ["before", "during", "after"] : ["after"];
/** The short form tries so many of the faults with each verb, and one in so many of their steps. */
const SHORT_FAULTS = 3;
const SHORT_STRIDE = 5;

/** All of them, or in the short form some: others with another seed. */
function chooseFaults(position: number): readonly Fault[] {
  const [none, ...others] = faultNames;
  if (isLong || none === undefined) return faultNames;
  return [
    none,
    ...Array.from({ length: SHORT_FAULTS }, (_, index) => others[(position + 2 * index) % others.length]),
  ].filter((fault) => fault !== undefined);
}

/** The cases of these verbs, and how many crash points and faults they are made of. */
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
  // In any order: a run that is broken off has tried some of everything.
  return { cases: shuffle(cases, seed), pointCount, faultCount: tried.size };
}
