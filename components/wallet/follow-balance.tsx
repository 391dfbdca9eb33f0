"use client";
import { useEffect, useRef } from "react";
import { useRefresh } from "#components/ui/use-refresh.ts";
import { isSameBalance, type ReadBalance, useLiveBalance, type WalletBalance } from "./use-balance.ts";

interface FollowBalanceProps {
  /** By the page. */
  readonly shown: WalletBalance;
  readonly read: ReadBalance;
}

/** Refreshes a page that shows money when the header learns of another balance, as when the user comes back to the tab. */
export function FollowBalance({ shown, read }: FollowBalanceProps) {
  const refresh = useRefresh();
  const live = useLiveBalance(shown, read);
  const shownRef = useRef(shown);
  const knownRef = useRef(live);
  useEffect(() => {
    shownRef.current = shown;
  }, [shown]);
  useEffect(() => {
    if (knownRef.current === live) return;
    knownRef.current = live;
    if (!isSameBalance(live, shownRef.current)) refresh();
  }, [live, refresh]);
  return null;
}
