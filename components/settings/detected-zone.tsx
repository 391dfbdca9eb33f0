"use client";
import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => {};

/** The browser's time zone and language, which times and numbers follow; the server knows neither. */
export function DetectedZone() {
  const detected = useSyncExternalStore(subscribeToNothing, detect, () => "…");
  return <span>{detected}</span>;
}

function detect(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return `${timeZone.replaceAll("_", " ")}, ${navigator.language}`;
}
