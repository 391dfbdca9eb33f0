"use client";
import { useSyncExternalStore } from "react";
import { formatRelative, formatTime, type TimestampFormat } from "./format-time.ts";

export interface TimestampProps {
  /** ISO 8601, UTC. */
  readonly value: string;
  readonly format?: TimestampFormat | "relative";
}

const subscribeToNothing = () => () => {};
/** Relative times are as of the minute the page was loaded in: they must not change while they are read. */
const loadedAtMs = Date.now();

/** In the reader's zone, once the page runs there (the server's markup says UTC); UTC in the tooltip. */
export function Timestamp({ value, format = "datetime" }: TimestampProps) {
  const inBrowser = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  const at = new Date(value);
  const zone = inBrowser ? undefined : "UTC";
  const text =
    format === "relative"
      ? inBrowser
        ? formatRelative(at, loadedAtMs)
        : formatTime(at, "date", zone)
      : formatTime(at, format, zone);
  return (
    <time className="tabular whitespace-nowrap" dateTime={value} title={`${formatTime(at, "datetime", "UTC")} UTC`}>
      {text}
    </time>
  );
}
