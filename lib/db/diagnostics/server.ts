import type { Database } from "#lib/db/connection/client.ts";
import { float, int, nullable, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineFind, defineList } from "#lib/db/connection/define.ts";
import { escapeLikePattern } from "#lib/db/connection/like-pattern.ts";
import { countedPage, countListed } from "#lib/db/connection/listing.ts";
import { getRow, type RowOf, statementOf } from "#lib/db/connection/statement.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import {
  type CheckId,
  REPORT_AGE_CAUTION_MS,
  REPORT_AGE_CRITICAL_MS,
  type Severity,
} from "#lib/domain/server-checks.ts";
import { diagnosticsFields } from "./report.ts";

const serverRow = {
  ...diagnosticsFields,
  /** The address of its licenses. */
  address: text,
  hostname: text,
  sourceAddress: text,
  clockOffsetS: nullable(int),
  reportedAt: timestamp,
};
export type ServerRow = RowOf<typeof serverRow>;

const serverListItem = {
  ...serverRow,
  /** Neither terminated nor expired. */
  licenseCount: int,
};
export type ServerListItem = RowOf<typeof serverListItem>;

export interface ServerFilter {
  /** Part of the host name or address, ignoring case. */
  readonly text?: string;
  readonly problem?: Exclude<CheckId, "name">;
}

export interface ServerPage {
  readonly filter: ServerFilter;
  /** One severity per page, ordered by address. */
  readonly severity: Severity;
  readonly direction: "forward" | "backward";
  /** The cursor; null for the first or last page. */
  readonly beyond: string | null;
  readonly limit: number;
  readonly now: Date;
}

const columns = `s.address, s.hostname, r.os, r.kernel, r.cpu_cores as "cpuCores", r.memory, r.disk_free as "diskFree",
             r.uptime, r.source_address as "sourceAddress", r.clock_offset_s as "clockOffsetS",
             s.reported_at as "reportedAt"`;

/** A server is listed while it has a license that is neither terminated nor expired. `$2`: the time. */
const hasCurrentLicense = `exists (
           select from licenses l where l.reseller_id = s.reseller_id and l.ip_address::inet = s.address::inet
              and l.terminated_at is null and l.expires_at > $2)`;

/**
 * The SQL form of the worst of `checkReport` and `checkReportAge`; a test compares the two. Each severity is a few
 * ranges of an index, so none reads the servers of the others.
 */
function severityCondition(severity: Severity, silent: () => string, longSilent: () => string): string {
  switch (severity) {
    case 2:
      return `(s.severity = 2 or s.reported_at < ${longSilent()})`;
    case 1:
      return `s.reported_at >= ${longSilent()} and (s.severity = 1 or (s.severity = 0 and s.reported_at < ${silent()}))`;
    case 0:
      return `s.severity = 0 and s.reported_at >= ${silent()}`;
    default:
      return severity satisfies never;
  }
}

/** Servers of one severity, by keyset over their addresses. Unnamed: the plan depends on the times. */
export async function listServerPage(
  db: Database,
  resellerId: ResellerId,
  page: ServerPage,
): Promise<ServerListItem[]> {
  const { filter, severity, direction, beyond, limit, now } = page;
  const values: unknown[] = [resellerId, now];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const silent = () => bind(ago(now, REPORT_AGE_CAUTION_MS));
  const longSilent = () => bind(ago(now, REPORT_AGE_CRITICAL_MS));
  const forward = direction === "forward";
  const conditions = ["s.reseller_id = $1", severityCondition(severity, silent, longSilent), hasCurrentLicense];
  if (beyond !== null) conditions.push(`s.address ${forward ? ">" : "<"} ${bind(beyond)}`);
  if (filter.text !== undefined)
    conditions.push(
      `lower(s.hostname || ' ' || s.address) like ${bind(`%${escapeLikePattern(filter.text.toLowerCase())}%`)}`,
    );
  if (filter.problem === "silent") conditions.push(`s.reported_at < ${silent()}`);
  else if (filter.problem !== undefined) conditions.push(`${bind(filter.problem)} = any (s.problems)`);
  const text = `
      with page as (
        select s.* from servers s where ${conditions.join(" and ")}
         order by s.address ${forward ? "asc" : "desc"} limit ${bind(limit)}
      )
      select ${columns},
             (select count(*)::int from licenses l where l.reseller_id = s.reseller_id and l.ip_address::inet = s.address::inet
                 and l.terminated_at is null and l.expires_at > $2) as "licenseCount"
        from page s join diagnostics_reports r on r.id = s.report_id and r.reseller_id = s.reseller_id
       order by s.address ${forward ? "asc" : "desc"}`;
  return db.query(statementOf(serverListItem)(text), values);
}

const listedServers = `select from servers s where s.reseller_id = $1 and ${hasCurrentLicense} limit $3`;

/** All severities, without a filter; up to one more than `COUNTED_AT_MOST`. */
export async function countServers(db: Database, resellerId: ResellerId, now: Date): Promise<number> {
  return countListed(db, { text: listedServers }, [resellerId, now, countedPage.limit]);
}

/** Null without a report on this address. */
export const findServer = defineFind("find_server", serverRow)<[resellerId: ResellerId, address: string]>`
      select ${columns} from servers s join diagnostics_reports r on r.id = s.report_id and r.reseller_id = s.reseller_id
            where s.reseller_id = $1 and s.address = $2`;

const criticalServer = { ...serverRow, since: timestamp };
/** `since`: the first report in a row with its problems, or the end of a day without a report. */
export type CriticalServerRow = RowOf<typeof criticalServer>;

/** Critical servers by when they became so, the newest first. */
export const listCriticalServers = defineList("list_critical_servers", criticalServer).values(
  (resellerId: ResellerId, page: { readonly since: Date; readonly limit: number; readonly now: Date }) => {
    const { since, limit, now } = page;
    return [resellerId, now, since, ago(now, REPORT_AGE_CRITICAL_MS), limit];
  },
)`
      with reported as (
        select s.address, s.problems_since as since from servers s
         where s.reseller_id = $1 and s.severity = 2 and s.problems_since > $3 and s.reported_at >= $4 and ${hasCurrentLicense}
         order by s.problems_since desc limit $5
      ), silent as (
        select s.address, s.reported_at + ($2::timestamptz - $4) as since from servers s
         where s.reseller_id = $1 and s.reported_at < $4 and s.reported_at > $3::timestamptz - ($2::timestamptz - $4) and ${hasCurrentLicense}
         order by s.reported_at desc limit $5
      )
      select ${columns}, f.since
        from (select * from reported union all select * from silent) f
        join servers s on s.reseller_id = $1 and s.address = f.address
        join diagnostics_reports r on r.id = s.report_id and r.reseller_id = s.reseller_id
       order by f.since desc, s.address limit $5`;

const inState = (severity: Severity) => `
  select s.address from servers s
   where s.reseller_id = $1 and ${severityCondition(
     severity,
     () => "$3",
     () => "$4",
   )} and ${hasCurrentLicense} limit $5`;

const serverProblemCounts = { critical: int, caution: int };
/** Servers with a problem, counted up to `limit`. */
export type ServerProblemCounts = RowOf<typeof serverProblemCounts>;

// Unnamed: the plan depends on the times.
const countServersInState = statementOf(serverProblemCounts)(`
  with critical as (${inState(2)}), caution as (${inState(1)})
  select (select count(*)::int from critical) as critical, (select count(*)::int from caution) as caution`);

export async function countServerProblems(db: Database, resellerId: ResellerId, limit: number, now: Date) {
  return getRow(db, countServersInState, [
    resellerId,
    now,
    ago(now, REPORT_AGE_CAUTION_MS),
    ago(now, REPORT_AGE_CRITICAL_MS),
    limit,
  ]);
}

const serverDayRow = {
  day: text,
  reportedHours: int,
  lowestDiskFreeMb: float,
  longestUptimeHours: float,
};
/** One UTC day of a server. */
export type ServerDayRow = RowOf<typeof serverDayRow>;

/** Oldest day first, without days that have no report. Sizes and times are read like `isSize` and `isUptime`. */
export const listServerDays = defineList("list_server_days", serverDayRow)<
  [resellerId: ResellerId, address: string, since: Date]
>`
      select to_char(reported_at at time zone 'UTC', 'YYYY-MM-DD') as day,
             count(distinct date_trunc('hour', reported_at, 'UTC'))::int as "reportedHours",
             min(rtrim(disk_free, 'GMB')::bigint * case when disk_free like '%GB' then 1024 else 1 end)::float8 as "lowestDiskFreeMb",
             max(split_part(uptime, ' ', 1)::bigint * case when uptime like '%days' then 24 else 1 end)::float8 as "longestUptimeHours"
        from diagnostics_reports
       where reseller_id = $1 and address = $2 and reported_at >= $3
       group by 1 order by 1`;

function ago(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}
