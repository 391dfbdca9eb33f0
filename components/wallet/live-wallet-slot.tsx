"use client";
import { Wallet } from "lucide-react";
import { cx } from "#components/ui/cx.ts";
import { Link } from "#components/ui/link.tsx";
import { Money } from "#components/ui/money.tsx";
import { type ReadBalance, useLiveBalance, type WalletBalance } from "./use-balance.ts";

interface LiveWalletSlotProps {
  readonly initial: WalletBalance;
  /** A server action. */
  readonly read: ReadBalance;
}

/** The available balance, on every page: each change costs money. */
export function LiveWalletSlot({ initial, read }: LiveWalletSlotProps) {
  const { spendable, currency, pendingCount, lowBalanceThreshold } = useLiveBalance(initial, read);
  const low = lowBalanceThreshold === null ? spendable <= 0n : spendable < lowBalanceThreshold;
  return (
    <Link
      className={cx(
        "flex h-8 items-center gap-2 rounded-md px-2.5 text-sm inset-ring pointer-coarse:h-10",
        low
          ? "bg-caution-soft text-caution inset-ring-caution/40"
          : "bg-surface text-text inset-ring-border hover:bg-surface-hover",
      )}
      href="/wallet"
    >
      <Wallet className={cx("size-4 max-sm:hidden", !low && "text-text-muted")} />
      <span className="sr-only">{low ? "Wallet balance is low:" : "Wallet balance:"}</span>
      <Money className="font-medium" currency={currency} minor={spendable} />
      {pendingCount > 0 && <span className="text-text-muted text-xs max-sm:sr-only">{pendingCount} pending</span>}
    </Link>
  );
}
