"use client";
import { useMemo } from "react";
import { formatRelative, formatTime, type TimestampFormat } from "./format-time.ts";
import { useTimeZone } from "./time-zone.tsx";

export interface TimestampProps {
  /** ISO 8601, UTC, where it comes from JSON. */
  readonly value: Date | string;
  readonly format?: TimestampFormat | "relative";
}

/**
 * In the reader's zone; UTC in the tooltip. A relative time is as of when its value was first shown, as it must not
 * change while it is read. It is the same in every zone: what the server wrote stays, so that no column becomes wider or
 * narrower.
 */
export function Timestamp({ value, format = "datetime" }: TimestampProps) {
  const zone = useTimeZone();
  const { at, nowMs } = useMemo(() => ({ at: new Date(value), nowMs: Date.now() }), [value]);
  const text = format === "relative" ? formatRelative(at, nowMs) : formatTime(at, format, zone);
  return (
    <time
      className="tabular whitespace-nowrap"
      data-zoned={format === "relative" ? undefined : ""}
      dateTime={at.toISOString()}
      // The server's clock, and the moments until the page runs, may be a minute apart from the browser's.
      suppressHydrationWarning={format === "relative"}
      title={`${formatTime(at, "datetime", "UTC")} UTC`}
    >
      {text}
    </time>
  );
}
