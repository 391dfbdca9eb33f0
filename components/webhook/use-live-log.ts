"use client";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import { fetchJson } from "#components/ui/fetch-json.ts";
import { countText } from "#lib/domain/count-text.ts";
import type { LogPage, LogRow } from "./log-row.ts";

const POLL_MS = 2_000;

export interface LiveLogState {
  readonly rows: readonly LogRow[];
  readonly nextHref: string | null;
  readonly total: number | null;
  /** New rows that are kept back while the table is being read. */
  readonly heldCount: number;
  readonly showHeld: () => void;
  /** For assistive technology. */
  readonly announcement: string;
  readonly connected: boolean;
}

/**
 * The newest page of the log, asked for every two seconds while the page is visible. What is shown is brought up to
 * date where it stands; rows are added and taken away only while nobody reads the table.
 * @param search the log's filters, as in the page's address
 */
export function useLiveLog(initial: LogPage, search: string, table: RefObject<HTMLElement | null>): LiveLogState {
  const { data, dataUpdatedAt, isError } = useQuery({
    queryKey: ["webhook-log", search],
    queryFn: ({ signal }) => fetchJson<LogPage>(`/webhooks/log/live${search}`, signal),
    initialData: initial,
    refetchInterval: POLL_MS,
    gcTime: 0,
  });
  const [shown, setShown] = useState({ rows: initial.rows, heldCount: 0 });
  const [announcement, setAnnouncement] = useState("");
  const newestRef = useRef(initial.rows[0]?.id ?? 0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer counts, also one that is like the last
  useEffect(() => {
    const reading = table.current !== null && isBeingRead(table.current);
    setShown(({ rows }) => (reading ? keepInPlace(rows, data.rows) : { rows: data.rows, heldCount: 0 }));
    const added = data.rows.filter(({ id }) => id > newestRef.current).length;
    newestRef.current = Math.max(newestRef.current, data.rows[0]?.id ?? 0);
    if (added > 0) setAnnouncement(`${newDeliveriesText(added)}${reading ? ", not shown yet" : ""}`);
  }, [dataUpdatedAt]);

  return {
    ...shown,
    nextHref: data.nextHref,
    total: data.total,
    showHeld: () => setShown({ rows: data.rows, heldCount: 0 }),
    announcement,
    connected: !isError,
  };
}

export function newDeliveriesText(count: number): string {
  return countText(count, "new delivery", "new deliveries");
}

function isBeingRead(table: HTMLElement): boolean {
  const { activeElement } = document;
  return window.scrollY > 0 || table.matches(":hover") || (activeElement !== table && table.contains(activeElement));
}

/** The same rows in the same places, as they are now. */
function keepInPlace(rows: readonly LogRow[], now: readonly LogRow[]) {
  const known = new Map(now.map((row) => [row.id, row]));
  const newestId = rows[0]?.id ?? 0;
  return {
    rows: rows.map((row) => known.get(row.id) ?? row),
    heldCount: now.filter(({ id }) => id > newestId).length,
  };
}
