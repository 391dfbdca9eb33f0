"use client";
import { useQuery } from "@tanstack/react-query";
import type { readCoreQuote } from "#app/(dashboard)/licenses/[id]/change-actions.ts";
import { sendSignedIn } from "#components/form/send-signed-in.ts";
import { type Bound, requireValue, type ValueOf } from "#lib/domain/action-result.ts";
import { CORE_QUOTE_LIFETIME_MS } from "#lib/domain/core-lots.ts";

export type ReadCoreQuote = Bound<typeof readCoreQuote>;
export type CoreQuote = ValueOf<ReadCoreQuote>;

/** The time left grows shorter, and with it the price: what is shown is always young enough to be charged. */
const REFRESH_EVERY_MS = CORE_QUOTE_LIFETIME_MS / 3;
/** Of "16" the "1" need not be asked for. */
const TYPING_MS = 200;

/**
 * What so many cores would cost, asked when the number has stopped changing. `cores` null: nothing to ask. `waiting`:
 * there is no price to agree to yet.
 */
export function useCoreQuote(read: ReadCoreQuote, licenseId: number, present: number, cores: number | null) {
  const { data, isError, isPending, refetch } = useQuery({
    queryKey: ["core quote", licenseId, present, cores],
    queryFn: async ({ signal }) => {
      await pause(TYPING_MS, signal);
      if (cores === null) return null;
      const result = await sendSignedIn(read, { license_id: licenseId, cores });
      if (result === null) throw new Error("The answer did not arrive.");
      // Refused: no such change is possible.
      const isUnanswered = !result.ok && ["internal", "unavailable", "page_outdated"].includes(result.error.code);
      return result.ok || isUnanswered ? requireValue(result) : null;
    },
    enabled: cores !== null,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: REFRESH_EVERY_MS,
  });
  return {
    quote: cores === null ? null : (data ?? null),
    waiting: cores !== null && (isPending || isError),
    unavailable: isError,
    refresh: refetch,
  };
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
