"use client";
import { useSyncExternalStore } from "react";

const TICK_MS = 1_000;

function subscribe(tick: () => void): () => void {
  const timer = window.setInterval(tick, TICK_MS);
  return () => window.clearInterval(timer);
}

const nowInSeconds = () => Math.floor(Date.now() / 1_000);

/** "in 4 min 12 s", counting down; "now" when it is due. `value`: ISO 8601, UTC, where it comes from JSON. */
export function Until({ value }: { readonly value: Date | string }) {
  // On the server there is no "now" that the browser would agree with.
  const now = useSyncExternalStore(subscribe, nowInSeconds, () => null);
  return (
    <time className="tabular whitespace-nowrap" dateTime={new Date(value).toISOString()}>
      {now === null ? "soon" : untilText(Math.ceil(new Date(value).getTime() / 1_000) - now)}
    </time>
  );
}

const MINUTE = 60;
const HOUR = 3_600;

/** "in 12 s", "in 4 min 12 s", "in 2 h 5 min"; "now" from 0 on. */
export function untilText(seconds: number): string {
  if (seconds <= 0) return "now";
  if (seconds < MINUTE) return `in ${seconds} s`;
  if (seconds < HOUR) return `in ${Math.floor(seconds / MINUTE)} min ${seconds % MINUTE} s`;
  return `in ${Math.floor(seconds / HOUR)} h ${Math.floor((seconds % HOUR) / MINUTE)} min`;
}
