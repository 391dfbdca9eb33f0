import { monthText } from "#components/ui/format-time.ts";
import { periodHref } from "#components/wallet/ledger-params.ts";
import type { StatementDays } from "#components/wallet/statement-period.tsx";
import { startOfNextDay, toDay } from "#lib/domain/times.ts";
import type { StatementPeriod } from "#lib/services/wallet/statement.ts";

const MONTHS_OFFERED = 6;
const YEARS_OFFERED = 2;

/** The days that a URL names; this month (UTC) when they make no period. */
export function statementDays(
  { from, to }: { readonly from: string | null; readonly to: string | null },
  now: Date,
): StatementDays {
  return from && to && from <= to ? { from, to } : monthOf(now, 0);
}

export function periodOf({ from, to }: StatementDays): StatementPeriod {
  return { from: new Date(`${from}T00:00:00Z`), to: startOfNextDay(new Date(`${to}T00:00:00Z`)) };
}

/** The latest months and years, the newest of each first. */
export function statementPresets(path: string, days: StatementDays, now: Date) {
  const months = Array.from({ length: MONTHS_OFFERED }, (_, back) => monthOf(now, back));
  const years = Array.from({ length: YEARS_OFFERED }, (_, back) => now.getUTCFullYear() - back);
  const presetOf = (label: string, { from, to }: StatementDays) => ({
    label,
    href: periodHref(path, { from, to }),
    current: from === days.from && to === days.to,
  });
  return [
    months.map((month) => presetOf(monthText(new Date(month.from), "long"), month)),
    years.map((year) => presetOf(String(year), { from: `${year}-01-01`, to: `${year}-12-31` })),
  ];
}

/** A month in UTC, this many before the present one. */
function monthOf(now: Date, back: number): StatementDays {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() - back];
  return { from: toDay(new Date(Date.UTC(year, month, 1))), to: toDay(new Date(Date.UTC(year, month + 1, 0))) };
}
