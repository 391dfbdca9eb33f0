/** Processor time by Linux's counters, in ticks of 10 ms; elsewhere NaN. */
import { existsSync, readFileSync } from "node:fs";

const US_PER_TICK = 10_000;

/** What a process has taken so far. */
export function processorTimeUs(pid: number): number {
  const text = read(`/proc/${pid}/stat`);
  // The name of the program may contain spaces.
  const [, , , , , , , , , , , user, kernel] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(user) + Number(kernel)) * US_PER_TICK;
}

/** What all programs of this machine have taken so far. */
export function machineTimeUs(): number {
  const [, user, nice, system, , , irq, softirq] = read("/proc/stat").split(/\s+/).map(Number);
  return [user, nice, system, irq, softirq].reduce<number>((sum, ticks = Number.NaN) => sum + ticks, 0) * US_PER_TICK;
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
