"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type ActionResult, requireValue } from "#lib/domain/action-result.ts";
import type { Balance } from "#lib/services/wallet/balance.ts";

export type WalletBalance = Pick<Balance, "spendable" | "currency" | "pendingCount" | "lowBalanceThreshold">;

/** A server action. */
export type ReadBalance = () => Promise<ActionResult<WalletBalance>>;

const BALANCE_KEY = ["balance"] as const;
/** Open operations end by themselves; the balance then follows. */
const POLL_WHILE_OPEN_MS = 15_000;

/** The balance as it is now, or null if the reader may not see it; the shell reads it, forms look along. */
export function useLiveBalance<Initial extends WalletBalance | null>(initial: Initial, read: ReadBalance) {
  const client = useQueryClient();
  const { data } = useQuery<WalletBalance | null>({
    queryKey: BALANCE_KEY,
    queryFn: async () => requireValue(await read()),
    initialData: initial,
    enabled: initial !== null,
    refetchInterval: ({ state }) => (state.data && state.data.pendingCount > 0 ? POLL_WHILE_OPEN_MS : false),
  });
  // Asks again instead of taking it over: a page that the browser goes back to brings an older one.
  useEffect(() => {
    const known = client.getQueryData<WalletBalance | null>(BALANCE_KEY);
    if (initial !== null && !isSameBalance(initial, known)) void client.invalidateQueries({ queryKey: BALANCE_KEY });
  }, [client, initial]);
  return data as WalletBalance | Extract<Initial, null>;
}

export function isSameBalance(one: WalletBalance, other: WalletBalance | null | undefined): boolean {
  return (
    one.spendable === other?.spendable &&
    one.pendingCount === other.pendingCount &&
    one.lowBalanceThreshold === other.lowBalanceThreshold
  );
}

/** After anything that changes the balance. */
export function useBalanceRefresh(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: BALANCE_KEY });
}
