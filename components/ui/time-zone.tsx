"use client";
import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";

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

/** The reader's zone; undefined: the browser's, which the server does not know and takes for UTC. */
export function useTimeZone(): string | undefined {
  const inBrowser = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  return useContext(Chosen) ?? (inBrowser ? undefined : "UTC");
}
