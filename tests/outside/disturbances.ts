/** Failures while customers order. */
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Instance, Site } from "./site.ts";

export const DISTURBANCES = [
  "kill",
  "pause",
  "skew",
  "restart_database",
  "crash_database",
  "failover",
  "lossy_failover",
] as const;

/** Repeated in turn. A failover happens once: `lossy_failover` loses 2 seconds, and ends the run. */
export type Disturbance = (typeof DISTURBANCES)[number];

/** Clock skews in seconds, like an operator's mistakes and a virtual machine's. */
const SKEWS = [30, -30, 120, -120, 86_400, -86_400];
/** Every fourth pause exceeds every lease and timeout. */
const PAUSES_MS = [70_000, 9_000, 9_000, 9_000];
const LAG_MS = 2_000;
/** Share of finished orders at which the failover happens. */
const FAILOVER_AFTER = 0.5;
const LOSSY_FAILOVER_AFTER = 0.6;
const BETWEEN_MS = 3_000;

export interface Disturber {
  readonly site: Site;
  readonly instances: readonly [Instance, Instance];
  readonly disturbances: readonly Disturbance[];
  readonly orders: number;
  readonly isDone: () => boolean;
  readonly log: (line: string) => void;
}

/** Disturbs until customers have finished; returns counts. */
export async function disturb(disturber: Disturber): Promise<Partial<Record<Disturbance, number>>> {
  const { site, disturbances, orders, isDone, log } = disturber;
  const counts: Partial<Record<Disturbance, number>> = {};
  const isDue = (disturbance: Disturbance, after: number) =>
    disturbances.includes(disturbance) && !counts[disturbance] && site.countOrders() >= orders * after;
  const repeated = disturbances.filter((disturbance) => !disturbance.endsWith("failover"));
  for (let round = 0; !isDone(); await sleep(BETWEEN_MS)) {
    const once = isDue("failover", FAILOVER_AFTER)
      ? "failover"
      : isDue("lossy_failover", LOSSY_FAILOVER_AFTER)
        ? "lossy_failover"
        : null;
    const disturbance = once ?? repeated[round % repeated.length];
    if (!disturbance) continue;
    const nth = counts[disturbance] ?? 0;
    log(`${disturbance} (${nth + 1}), ${site.countOrders()} orders`);
    counts[disturbance] = nth + 1;
    await carryOut(disturber, disturbance, nth);
    if (!once) round += 1;
  }
  return counts;
}

async function carryOut({ site, instances }: Disturber, disturbance: Disturbance, nth: number): Promise<void> {
  const victim = instances[nth % 2] as Instance;
  switch (disturbance) {
    case "kill":
      await victim.kill();
      await sleep(6_000);
      return victim.start();
    case "pause":
      victim.signal("SIGSTOP");
      await sleep(PAUSES_MS[nth % PAUSES_MS.length]);
      return victim.signal("SIGCONT");
    case "skew":
      victim.skew(SKEWS[nth % SKEWS.length] as number);
      await sleep(20_000);
      return victim.skew(0);
    case "restart_database":
    case "crash_database":
      await site.postgres.stop(disturbance === "crash_database" ? "immediate" : "fast");
      await sleep(2_000);
      return site.postgres.start();
    case "failover":
      return site.failOver();
    case "lossy_failover":
      site.standby?.replication.freeze();
      await sleep(LAG_MS);
      writeFileSync(site.file("closed"), "");
      return site.failOver();
    default:
      disturbance satisfies never;
  }
}
