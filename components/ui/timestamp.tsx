"use client";
import { formatRelative, formatTime, type TimestampFormat } from "./format-time.ts";
import { useTimeZone } from "./time-zone.tsx";

export interface TimestampProps {
  /** ISO 8601, UTC, where it comes from JSON. */
  readonly value: Date | string;
  readonly format?: TimestampFormat | "relative";
}

/** Relative times are as of when the page was loaded: they must not change while they are read. */
const loadedAtMs = Date.now();

/**
 * In the reader's zone; UTC in the tooltip. A relative time is
 * the same in every zone: what the server wrote stays, so that no column becomes wider or narrower.
 */
export function Timestamp({ value, format = "datetime" }: TimestampProps) {
  const zone = useTimeZone();
  const at = new Date(value);
  const relativeToMs = typeof window === "undefined" ? Date.now() : loadedAtMs;
  const text = format === "relative" ? formatRelative(at, relativeToMs) : formatTime(at, format, zone);
  return (
    <time
      className="tabular whitespace-nowrap"
      dateTime={at.toISOString()}
      // The server's clock, and the moments until the page runs, may be a minute apart from the browser's.
      suppressHydrationWarning={format === "relative"}
      title={`${formatTime(at, "datetime", "UTC")} UTC`}
    >
      {text}
    </time>
  );
}
