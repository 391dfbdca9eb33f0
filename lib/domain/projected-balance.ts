import type { Renewal } from "./renewal.ts";

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

export interface ProjectedBalance {
  readonly at: Date;
  /** Minor units; below zero: what is missing. */
  readonly balance: bigint;
}

/**
 * The balance at the end of each week of the horizon, if every renewal is charged.
 * @param calendar in calendar order
 */
export function projectBalance(
  spendable: bigint,
  calendar: readonly Renewal[],
  { now, horizonDays }: { readonly now: Date; readonly horizonDays: number },
): ProjectedBalance[] {
  let balance = spendable;
  let next = 0;
  return Array.from({ length: Math.ceil(horizonDays / WEEK_DAYS) }, (_, week) => {
    const at = new Date(now.getTime() + Math.min((week + 1) * WEEK_DAYS, horizonDays) * DAY_MS);
    for (let due = calendar[next]; due && due.dueAt <= at; due = calendar[next]) {
      balance -= due.price ?? 0n;
      next += 1;
    }
    return { at, balance };
  });
}
