"use client";
import { useState } from "react";
import { Line } from "#components/chart/line.tsx";
import { Panel } from "#components/chart/panel.tsx";
import { scaleTop } from "#components/chart/scale.ts";
import { formatDay } from "#components/ui/format-time.ts";
import { sizeText, spanText } from "./amounts.ts";
import type { ServerDay } from "./server.ts";

const HOURS_PER_DAY = 24;
const SECONDS_PER_HOUR = 3_600;
const MB_PER_GB = 1024;

/** Free disk, time since the last start, and reports, a day each; in figures the day pointed at, or the last with a report. The table below says the same. */
export function TrendChart({ days }: { readonly days: readonly ServerDay[] }) {
  const [index, setIndex] = useState<number | null>(null);
  const shared = { keys: days.map(({ day }) => day), index, onPoint: setIndex };
  const last = days.at(-1);
  const pointed = (index === null ? null : days[index]) ?? null;
  const shown = pointed ?? days.findLast(({ reportedHours }) => reportedHours > 0) ?? null;
  const disk = days.map(({ lowestDiskFreeMb }) => toGigabytes(lowestDiskFreeMb));
  const uptime = days.map(({ longestUptimeHours }) => toDays(longestUptimeHours));
  const diskTop = scaleTop(Math.max(0, ...disk.map((value) => value ?? 0)));
  const uptimeTop = scaleTop(Math.max(0, ...uptime.map((value) => value ?? 0)));
  return (
    <div aria-hidden onPointerLeave={() => setIndex(null)}>
      <div className="flex flex-col gap-4">
        <Panel
          {...shared}
          heightClassName="h-28"
          label={
            <Label name="Lowest free disk" value={shown && known(shown.lowestDiskFreeMb, (value) => sizeText(value))} />
          }
          topLabel={`${diskTop} GB`}
        >
          <Line className="stroke-accent-text" top={diskTop} values={disk} />
        </Panel>
        <Panel
          {...shared}
          heightClassName="h-16"
          label={
            <Label
              name="Uptime"
              value={shown && known(shown.longestUptimeHours, (hours) => spanText(hours * SECONDS_PER_HOUR))}
            />
          }
          topLabel={spanText(uptimeTop * HOURS_PER_DAY * SECONDS_PER_HOUR)}
        >
          <Line className="stroke-text-muted" top={uptimeTop} values={uptime} />
        </Panel>
        <Panel
          {...shared}
          heightClassName="h-12"
          label={
            <Label
              name="Hours with a report"
              value={shown && `${shown.reportedHours}${shown === last ? " today" : ""}`}
            />
          }
          topLabel={String(HOURS_PER_DAY)}
        >
          <div className="pointer-events-none absolute inset-0 flex items-end">
            {days.map(({ day, reportedHours }) => (
              <div className="flex h-full flex-1 flex-col justify-end px-px" key={day}>
                {reportedHours > 0 && (
                  <span
                    className="min-h-0.5 rounded-t-xs bg-accent"
                    style={{ height: `${(100 * reportedHours) / HOURS_PER_DAY}%` }}
                  />
                )}
              </div>
            ))}
          </div>
        </Panel>
      </div>
      <div className="tabular mt-1 flex justify-between gap-3 text-text-muted text-xs">
        <span>{days[0] && formatDay(days[0].day)}</span>
        {pointed && <span className="font-medium text-text">{formatDay(pointed.day)}</span>}
        <span>{last && formatDay(last.day)}</span>
      </div>
    </div>
  );
}

function Label({ name, value }: { readonly name: string; readonly value: string | null }) {
  return (
    <>
      {name}
      {value !== null && <span className="tabular ml-2 font-medium text-text">{value}</span>}
    </>
  );
}

function known(value: number | null, text: (value: number) => string): string {
  return value === null ? "no report" : text(value);
}

function toGigabytes(megabytes: number | null): number | null {
  return megabytes === null ? null : megabytes / MB_PER_GB;
}

function toDays(hours: number | null): number | null {
  return hours === null ? null : hours / HOURS_PER_DAY;
}
