"use client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { fetchJson } from "#components/ui/fetch-json.ts";
import { useBalanceRefresh } from "#components/wallet/use-balance.ts";
import type { BulkProgressPage } from "./bulk-job.ts";
import { useFreshPages } from "./use-fresh-pages.ts";

const POLL_MS = 1_000;
/** Of what waits for the provider, or for the end of a suspension. */
const POLL_PENDING_MS = 5_000;

/**
 * A job as it is now, asked for while there is something to see; `refresh` after what a person does.
 * @param search which items, as in the page's address
 */
export function useBulkProgress(initial: BulkProgressPage, search: string) {
  const refreshBalance = useBalanceRefresh();
  const { data, isError, refetch } = useQuery({
    queryKey: ["bulk-job", initial.job.id, search],
    queryFn: ({ signal }) => fetchJson<BulkProgressPage>(`/jobs/${initial.job.id}/progress${search}`, signal),
    initialData: initial,
    gcTime: 0,
    refetchInterval: ({ state }) => {
      const job = state.data?.job;
      if (job?.paused || job?.waitsUntil || job?.postponed || job?.awaited) return POLL_PENDING_MS;
      if (job === undefined || job.state !== "finished") return POLL_MS;
      return job.counts.pending > 0 ? POLL_PENDING_MS : false;
    },
  });
  useFreshPages(data.job);
  const { chargedTotal } = data.job;
  // Also at first: a short job has ended, and charged, before its page is there.
  const seenRef = useRef("0");
  useEffect(() => {
    if (seenRef.current === chargedTotal) return;
    seenRef.current = chargedTotal;
    refreshBalance();
  }, [chargedTotal, refreshBalance]);
  return { ...data, connected: !isError, refresh: () => void refetch() };
}
