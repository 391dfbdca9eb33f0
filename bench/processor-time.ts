/** Processor time by Linux's counters, mostly in ticks of 10 ms; elsewhere NaN. */
import { existsSync, readFileSync } from "node:fs";

const US_PER_TICK = 10_000;

/** What a process has taken so far. */
export function processorTimeUs(pid: number): number {
  const text = read(`/proc/${pid}/stat`);
  // The name of the program may contain spaces.
  const [, , , , , , , , , , , user, kernel] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(user) + Number(kernel)) * US_PER_TICK;
}

/** How long a process's main thread has been ready to run while other threads had the processors. */
export function processorWaitUs(pid: number): number {
  const [, waitedNs] = read(`/proc/${pid}/schedstat`).split(" ");
  return Number(waitedNs) / 1_000;
}

/** What all programs of this machine have taken so far. */
export function machineTimeUs(): number {
  const [, user, nice, system, , , irq, softirq] = read("/proc/stat").split(/\s+/).map(Number);
  return [user, nice, system, irq, softirq].reduce<number>((sum, ticks = Number.NaN) => sum + ticks, 0) * US_PER_TICK;
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
