"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Spinner } from "#components/ui/spinner.tsx";
import { type NewestReport, serverHref } from "./server.ts";

const POLL_MS = 3_000;

export interface AwaitReportProps {
  readonly address: string;
  /** Of the report that the page shows; null: none. */
  readonly reportedAt: Date | null;
}

/** Renders the page again as soon as the server reports. */
export function AwaitReport({ address, reportedAt }: AwaitReportProps) {
  const router = useRouter();
  const [before] = useState(() => reportedAt?.toISOString() ?? null);
  const { data = before } = useQuery({
    queryKey: ["newest-report", address, before],
    queryFn: ({ signal }) => fetchNewest(address, signal),
    refetchInterval: ({ state }) => ((state.data ?? before) === before ? POLL_MS : false),
    gcTime: 0,
  });
  useEffect(() => {
    if (data !== before) router.refresh();
  }, [data, before, router]);
  return (
    <p className="flex items-center gap-2 text-sm text-text-muted" role="status">
      {data === before ? (
        <>
          <Spinner /> Waiting for its first report…
        </>
      ) : (
        "The server reports."
      )}
    </p>
  );
}

async function fetchNewest(address: string, signal: AbortSignal): Promise<string | null> {
  const answer = await fetch(`${serverHref(address)}/newest`, { signal, headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`the server's page answered ${answer.status}`);
  return ((await answer.json()) as NewestReport).reportedAt;
}
