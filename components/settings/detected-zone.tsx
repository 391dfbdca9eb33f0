"use client";
import { useSyncExternalStore } from "react";

/** en-US → "English (US)". */
const languageNames = new Intl.DisplayNames("en-US", { type: "language", languageDisplay: "standard", style: "short" });

const subscribeToNothing = () => () => {};

/** The browser's time zone and language, which times and numbers follow; the server knows neither. */
export function DetectedZone() {
  const detected = useSyncExternalStore(subscribeToNothing, detect, () => "…");
  return <span>{detected}</span>;
}

function detect(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return `${timeZone.replaceAll("_", " ")}, ${languageNames.of(navigator.language)}`;
}
