import type { WalletRunway } from "./runway.ts";

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

export interface ProjectedBalance {
  readonly at: Date;
  /** Minor units; below zero: what is missing. */
  readonly balance: bigint;
}

/** The balance at the end of each week of the horizon, if every renewal is charged at today's price. */
export function projectBalance(
  { spendable, days, horizonDays }: Pick<WalletRunway, "spendable" | "days" | "horizonDays">,
  now: Date,
): ProjectedBalance[] {
  return Array.from({ length: Math.ceil(horizonDays / WEEK_DAYS) }, (_, week) => {
    const at = new Date(now.getTime() + Math.min((week + 1) * WEEK_DAYS, horizonDays) * DAY_MS);
    const charged = days.reduce((sum, { day, sum: cost }) => (day < at ? sum + cost : sum), 0n);
    return { at, balance: spendable - charged };
  });
}
