import type { WalletBalance } from "#components/wallet/use-balance.ts";
import { type Affordable, computeAffordable } from "#lib/domain/affordable.ts";

/** One row of the table as it was read. */
export interface ImportPlanRow {
  /** Of the table, counted from 1. */
  readonly line: number;
  /** As written, or the product's name where it was understood. */
  readonly product: string;
  readonly cycle: string;
  readonly address: string;
  readonly notes: string;
  readonly customerName: string;
  readonly customerEmail: string;
  readonly customerReference: string;
  readonly tags: string;
  readonly autoRenew: string;
  readonly cores: string;
  /** Minor units; null where there are problems. */
  readonly price: bigint | null;
  /** Sentences; none: it can be registered. */
  readonly problems: readonly string[];
}

/** What an import would do. Money: minor units of `currency`. */
export interface ImportPlanView {
  readonly rows: readonly ImportPlanRow[];
  /** How many rows have no problem. */
  readonly readyCount: number;
  /** Of these, how many are on a private address. */
  readonly privateCount: number;
  readonly total: bigint;
  readonly currency: string;
  readonly ignoredColumns: readonly string[];
}

export interface ImportTable {
  readonly text: string;
}

export interface ImportAgreement extends ImportTable {
  readonly agreedCount: number;
  readonly agreedTotal: string;
  /** Private addresses in it are meant. */
  readonly allowPrivateAddresses: boolean;
}

export interface ImportStarted {
  readonly jobId: number;
}

/** What the balance pays for: rows are registered from the top, and those that it does not reach are refused. */
export function affordableRows({ rows }: ImportPlanView, balance: Pick<WalletBalance, "spendable">): Affordable {
  const prices = rows.flatMap(({ price }) => (price === null ? [] : price));
  return computeAffordable(prices, (price) => price, balance.spendable);
}
