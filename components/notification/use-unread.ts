"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ActionResult, requireValue } from "#lib/domain/action-result.ts";

/** A server action. */
export type ReadUnread = () => Promise<ActionResult<number>>;

const UNREAD_KEY = ["unread notifications"] as const;
const POLL_MS = 60_000;

/** How many notifications are unread, while the page is looked at. */
export function useUnread(initial: number, read: ReadUnread): number {
  const { data } = useQuery({
    queryKey: UNREAD_KEY,
    queryFn: async () => requireValue(await read()),
    initialData: initial,
    refetchInterval: POLL_MS,
  });
  return data;
}

/** After they were read. */
export function useUnreadRefresh(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: UNREAD_KEY });
}
