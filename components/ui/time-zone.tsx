"use client";
import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import { systemTimeZone } from "#lib/domain/time-zone.ts";

const Chosen = createContext<string | null>(null);

export interface TimeZoneProviderProps {
  /** The reader's setting; null: the browser's. */
  readonly zone: string | null;
  readonly children: ReactNode;
}

export function TimeZoneProvider({ zone, children }: TimeZoneProviderProps) {
  return <Chosen value={zone}>{children}</Chosen>;
}

const subscribeToNothing = () => () => {};

/** Names the zone of a page's times, on paper, too; absent where all are relative or marked UTC. */
export function TimeZoneNote() {
  const zone = useTimeZone() ?? systemTimeZone();
  return (
    <p className="mt-6 hidden text-sm text-text-muted [main:has(time[data-zoned])_&]:block">
      {zone === "UTC" ? "Times are in UTC." : `Times are in ${zone.replaceAll("_", " ")}, except those marked UTC.`}
    </p>
  );
}

/** The reader's zone; undefined: the browser's, which the server does not know and takes for UTC. */
export function useTimeZone(): string | undefined {
  const inBrowser = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  return useContext(Chosen) ?? (inBrowser ? undefined : "UTC");
}
