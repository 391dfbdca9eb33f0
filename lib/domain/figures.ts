import type { Currency } from "./money.ts";
import type { PartitionState } from "./partitions.ts";

interface Backlog {
  readonly due: number;
  /** How long the oldest has been due. */
  readonly age: number;
}

interface ScheduledJobState {
  readonly name: string;
  /** Since the last run began; null: none has ended. */
  readonly age: number | null;
  /** Whether the last run failed. */
  readonly failed: boolean;
  /** Whether it has been due for a while and nobody runs it. */
  readonly late: boolean;
}

/** The archive of the embedded database. */
export interface ArchiveState {
  /** For how long it has not been complete; without a copy, since it was begun. */
  readonly age: number;
  /** Whether it has had a complete copy of the database since its process began. */
  readonly hasCopy: boolean;
  /** Why it stands still. Null: it does not, or the reason is unknown. */
  readonly problem: string | null;
}

/** What all instances share. Ages and times in seconds, amounts in minor units; without resellers in test mode. */
export interface Figures {
  readonly operations: readonly { readonly state: string; readonly count: number; readonly age: number }[];
  readonly held: readonly { readonly currency: Currency; readonly amount: string }[];
  readonly deliveries: Backlog;
  /** Due, or not accepted while no newer one was. */
  readonly mails: Backlog;
  readonly queue: Backlog;
  readonly processes: number;
  /** Of the live processes, those with a worker. */
  readonly workers: number;
  readonly jobs: readonly ScheduledJobState[];
  readonly ledgerDifferences: number | null;
  /** Null: never. */
  readonly ledgerCheckedAt: number | null;
  /** When the newest verified backup was begun. Null: never. */
  readonly lastBackupAt: number | null;
  /** Null: none is set up. */
  readonly archive: ArchiveState | null;
  readonly partitions: readonly PartitionState[];
}

/** Connections of a pool. */
export interface PoolUse {
  readonly max: number;
  readonly open: number;
  readonly idle: number;
  /** Requests for a connection that have none yet. */
  readonly waiting: number;
}
