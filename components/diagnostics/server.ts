import type { Check } from "#lib/domain/server-checks.ts";
import { toDay } from "#lib/domain/times.ts";
import type { ListedServer } from "#lib/services/diagnostics/list-servers.ts";

export interface ServerListRow extends ListedServer {
  /** Those that found something, the worst first. */
  readonly problems: readonly Check[];
}

/** What a page that waits for a server's report reads. ISO 8601, UTC; null: none has come. */
export interface NewestReport {
  readonly reportedAt: string | null;
}

/** One day, in UTC; null where nothing was reported. */
export interface ServerDay {
  /** `2027-03-10`. */
  readonly day: string;
  readonly reportedHours: number;
  readonly lowestDiskFreeMb: number | null;
  readonly longestUptimeHours: number | null;
}

export function serverHref(address: string): string {
  return `/diagnostics/${address}`;
}

const DAY_MS = 86_400_000;

/** Every day from the first on, also those without a report. */
export function fillDays(firstDay: Date, days: number, rows: readonly ServerDay[]): ServerDay[] {
  return Array.from({ length: days }, (_, index) => {
    const day = toDay(new Date(firstDay.getTime() + index * DAY_MS));
    const row = rows.find((candidate) => candidate.day === day);
    return row ?? { day, reportedHours: 0, lowestDiskFreeMb: null, longestUptimeHours: null };
  });
}
