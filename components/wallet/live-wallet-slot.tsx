"use client";
import { WalletSlot } from "#components/shell/wallet-slot.tsx";
import { type ReadBalance, useLiveBalance, type WalletBalance } from "./use-balance.ts";

export interface LiveWalletSlotProps {
  readonly href: string;
  readonly initial: WalletBalance;
  /** A server action. */
  readonly read: ReadBalance;
}

export function LiveWalletSlot({ href, initial, read }: LiveWalletSlotProps) {
  const { spendable, currency, pendingCount, lowBalanceThreshold } = useLiveBalance(initial, read);
  const low = lowBalanceThreshold === null ? spendable <= 0n : spendable < lowBalanceThreshold;
  return <WalletSlot currency={currency} href={href} low={low} minor={spendable} openHolds={pendingCount} />;
}
