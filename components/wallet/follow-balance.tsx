"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { isSameBalance, type ReadBalance, useLiveBalance, type WalletBalance } from "./use-balance.ts";

interface FollowBalanceProps {
  /** By the page. */
  readonly shown: WalletBalance;
  readonly read: ReadBalance;
}

/** Refreshes a page that shows money when the header learns of another balance, as when the user comes back to the tab. */
export function FollowBalance({ shown, read }: FollowBalanceProps) {
  const router = useRouter();
  const live = useLiveBalance(shown, read);
  const shownRef = useRef(shown);
  const knownRef = useRef(live);
  useEffect(() => {
    shownRef.current = shown;
  }, [shown]);
  useEffect(() => {
    if (knownRef.current === live) return;
    knownRef.current = live;
    if (!isSameBalance(live, shownRef.current)) router.refresh();
  }, [live, router]);
  return null;
}
