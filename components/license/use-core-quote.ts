"use client";
import { useQuery } from "@tanstack/react-query";
import type { CoreQuote } from "./license-changes.ts";

/** A server action. Null: no such change is possible. */
export type ReadCoreQuote = (licenseId: number, cores: number) => Promise<CoreQuote | null>;

/** The time left grows shorter, and with it the price. */
const STALE_AFTER_MS = 10_000;
/** Of "16" the "1" need not be asked for. */
const TYPING_MS = 200;

/** What so many cores would cost, asked when the number has stopped changing. `cores` null: nothing to ask. */
export function useCoreQuote(read: ReadCoreQuote, licenseId: number, cores: number | null) {
  const { data, isError } = useQuery({
    queryKey: ["core quote", licenseId, cores],
    queryFn: async ({ signal }) => {
      await pause(TYPING_MS, signal);
      return cores === null ? null : read(licenseId, cores);
    },
    enabled: cores !== null,
    staleTime: STALE_AFTER_MS,
    gcTime: STALE_AFTER_MS,
  });
  return { quote: cores === null ? null : (data ?? null), unavailable: isError };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
