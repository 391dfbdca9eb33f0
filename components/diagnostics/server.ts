import type { Check, Severity } from "#lib/domain/server-checks.ts";

/** One server in the list. Times: ISO 8601, UTC. */
export interface ServerListRow {
  readonly address: string;
  readonly href: string;
  readonly hostname: string;
  readonly reportedAt: string;
  readonly licenseCount: number;
  readonly severity: Severity;
  /** Those that found something, the worst first. */
  readonly problems: readonly Check[];
}

/** What the agent said last. */
export interface ServerFacts {
  readonly address: string;
  readonly hostname: string;
  readonly sourceAddress: string;
  readonly os: string;
  readonly kernel: string;
  readonly cpuCores: number;
  readonly memory: string;
  readonly diskFree: string;
  readonly uptime: string;
  readonly reportedAt: string;
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
