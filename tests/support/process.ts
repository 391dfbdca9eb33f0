/** Simulated processes, each with claims until it is declared dead. */
import { randomUUID } from "node:crypto";
import type { Database } from "#lib/db/connection/client.ts";
import { createLeaseKeeper, type LeaseKeeper } from "#lib/db/lease/keeper.ts";
import { sql } from "#tests/sql.ts";

export interface TestProcess {
  readonly ownerId: string;
  readonly leases: LeaseKeeper;
  /** Pauses until it is declared dead, without noticing. */
  fallAsleep(): Promise<void>;
  /** Notices that it was paused, and renews its lease. */
  wakeUp(): Promise<void>;
  die(): Promise<void>;
}

export function createTestProcess(db: Database): TestProcess {
  const ownerId = randomUUID();
  const closing = new AbortController();
  let epoch = 0;
  let registered: Promise<unknown> | null = null;

  const register = () =>
    db.query(
      sql(`insert into processes (id, host, pid, job_workers, started_at, lease_until)
             values ($1, 'test', 0, '{}', now(), now() + interval '9 minutes') on conflict (id) do update set lease_until = excluded.lease_until`),
      [ownerId],
    );
  const isDeclaredDead = () => declareDead(db, [ownerId]);

  return {
    ownerId,
    leases: createLeaseKeeper({
      ownerId,
      now: () => new Date(),
      isAlive: () => registered !== null && !closing.signal.aborted,
      epoch: () => epoch,
      async ready() {
        registered ??= register();
        await registered;
      },
      deadReleased: async () => {},
      setJobWorkers: () => {},
      closing: closing.signal,
      close: async () => {},
    }),
    fallAsleep: isDeclaredDead,
    async wakeUp() {
      await register();
      epoch += 1;
    },
    async die() {
      closing.abort();
      await isDeclaredDead();
    },
  };
}

async function declareDead(db: Database, processIds: readonly string[]): Promise<void> {
  await db.query(sql("update processes set lease_until = '-infinity' where id = any ($1::uuid[])"), [processIds]);
  await db.query(sql("select release_dead_processes()"), []);
}

/** Declares ended processes of this machine dead without waiting for their leases. */
export async function releaseDead(db: Database): Promise<void> {
  const rows = await db.query(sql<{ id: string; pid: number }>("select id, pid from processes where pid > 0"), []);
  const dead = rows.filter(({ pid }) => !isRunning(pid)).map(({ id }) => id);
  await declareDead(db, dead);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A lease whose token belongs to no claim. */
export function staleLease(token: string = randomUUID()) {
  return { ownerId: randomUUID(), token, isHeld: () => true, confirm: async () => true };
}
