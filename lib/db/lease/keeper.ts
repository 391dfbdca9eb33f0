import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { unavailable } from "#lib/db/connection/errors.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { ProcessLease } from "./process.ts";

/** A claimed row: this process owns it until the claim ends, or another claim replaces it. */
export interface Lease {
  /** This process; changes with a failover. */
  readonly ownerId: string;
  /** Every write to the row presents it. */
  readonly token: string;
  /** Checks without the database: false if the claim may have been replaced. */
  isHeld(): boolean;
  /** Asks the database if in doubt: false if the claim was replaced or has ended. @throws DomainError `unavailable` */
  confirm(): Promise<boolean>;
}

export interface LeaseKeeper {
  /**
   * Call it before writing a claim.
   * @param reclaim writes the owner into the row again; false if another claim has replaced its token
   * @throws DomainError `unavailable` while this process cannot own anything
   */
  begin(reclaim: (lease: Lease) => Promise<boolean>): Promise<Lease>;
  /**
   * Repeats a write during a database outage; no attempt starts after `forMs`.
   * @throws any other failure; `unavailable` when the time is over or the process stops
   */
  persist<Result>(write: () => Promise<Result>, options?: { readonly forMs: number }): Promise<Result>;
  /**
   * Releases a claim that may have been written. Repeats the release for as long as the claim's statement can still
   * run. Returns immediately.
   */
  abandon(release: () => Promise<unknown>): void;
}

const PERSIST_PAUSES_MS = [50, 100, 200];
const MAX_PERSIST_PAUSE_MS = 400;
/**
 * The database ends a statement within 15 s, even if its client is gone. Deferred triggers run after that limit, at the
 * commit: each has little to do.
 */
const RELEASE_AGAIN_AFTER_MS = [500, 1_500, 4_000, 10_000];

export function createLeaseKeeper(owner: ProcessLease): LeaseKeeper {
  /** False when the process stops. */
  async function pause(ms: number): Promise<boolean> {
    await sleep(ms, undefined, { ref: false, signal: owner.closing }).catch(() => {});
    return !owner.closing.aborted;
  }

  const keeper: LeaseKeeper = {
    async begin(reclaim) {
      await owner.ready();
      let epoch = owner.epoch();
      let isLost = false;
      const lease: Lease = {
        get ownerId() {
          return owner.ownerId;
        },
        token: randomUUID(),
        isHeld: () => !isLost && owner.isAlive() && epoch === owner.epoch(),
        async confirm() {
          while (!isLost && !lease.isHeld()) {
            await owner.ready();
            const confirmedIn = owner.epoch();
            if (await reclaim(lease)) epoch = confirmedIn;
            else isLost = true;
          }
          return !isLost;
        },
      };
      return lease;
    },

    async persist(write, { forMs } = { forMs: Number.POSITIVE_INFINITY }) {
      const giveUpAtMs = performance.now() + forMs;
      for (let tries = 0; ; tries++) {
        try {
          return await write();
        } catch (error) {
          if (!isDomainError(error) || error.code !== "unavailable" || performance.now() >= giveUpAtMs) throw error;
          if (!(await pause(PERSIST_PAUSES_MS[tries] ?? MAX_PERSIST_PAUSE_MS))) throw unavailable(error);
        }
      }
    },

    abandon(release) {
      void (async () => {
        await keeper.persist(release);
        for (const ms of RELEASE_AGAIN_AFTER_MS) if (await pause(ms)) await keeper.persist(release);
      })().catch(() => {});
    },
  };
  return keeper;
}
