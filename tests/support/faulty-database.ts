/** The database as seen by one request of one process, with a fault at one statement. */

import type { Database } from "#lib/db/connection/client.ts";
import { unavailable } from "#lib/db/connection/errors.ts";
import type { Transaction } from "#lib/db/connection/transaction.ts";
import { withQuery } from "#lib/db/connection/with-query.ts";

/** The error of every statement of a dead process. Its later statements have no effect. */
export class ProcessDied extends Error {}

export interface Fault {
  /** Statements and commits are counted from 1. */
  readonly at: number;
  readonly when: "before" | "after";
  /** `crash`: the process dies; `blip`: the statement fails; `pause`: it waits for `resume`. */
  readonly kind: "crash" | "blip" | "pause";
}

export interface FaultyDatabase {
  readonly db: Database;
  /** Resolves when a pausing request has reached its fault. */
  readonly paused: Promise<void>;
  resume(): void;
  kill(): void;
}

/** @param isCounted whether a statement can have the fault; default: any */
export function createFaultyDatabase(
  db: Database,
  fault: Fault | null,
  isCounted: (name: string) => boolean = () => true,
): FaultyDatabase {
  const paused = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  let count = 0;
  let dead = false;

  async function strike({ kind }: Fault): Promise<void> {
    switch (kind) {
      case "crash":
        dead = true;
        throw new ProcessDied("process died");
      case "blip":
        throw unavailable();
      case "pause":
        paused.resolve();
        await resumed.promise;
        if (dead) throw new ProcessDied("process died");
        return;
      default:
        kind satisfies never;
    }
  }

  /** @param abort undoes what is lost when the process dies */
  async function run<Result>(name: string, statement: () => Promise<Result>, abort?: () => Promise<void>) {
    if (dead) throw new ProcessDied("process died");
    const isFatal = isCounted(name) && ++count === fault?.at;
    try {
      if (isFatal && fault.when === "before") await strike(fault);
      const result = await statement();
      if (isFatal && fault.when === "after") await strike(fault);
      return result;
    } catch (error) {
      if (dead) await abort?.();
      throw error;
    }
  }

  return {
    db: {
      ...withQuery(db, (statement, values) => run(statement.name ?? "", () => db.query(statement, values))),
      async begin() {
        let begun: Transaction | null = null;
        const abort = async () => begun?.rollback();
        const begin = async () => {
          begun = await db.begin();
          return begun;
        };
        const transaction = await run("begin", begin).catch(async (error) => {
          await abort();
          throw error;
        });
        return {
          query: (statement, values) => run(statement.name ?? "", () => transaction.query(statement, values), abort),
          // It has ended either way.
          commit: () =>
            run("commit", () => transaction.commit()).catch(async (error) => {
              await abort();
              throw error;
            }),
          rollback: abort,
        } satisfies Transaction;
      },
    },
    paused: paused.promise,
    resume: resumed.resolve,
    kill() {
      dead = true;
      resumed.resolve();
    },
  };
}
