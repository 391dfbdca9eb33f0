import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { createDatabaseClock, elapsedMs, type Moment, present } from "#lib/db/connection/database-clock.ts";
import { outageKindOf, translateDatabaseError, unavailable } from "#lib/db/connection/errors.ts";
import { UtcClient } from "#lib/db/connection/utc-client.ts";
import type { FailureWatch } from "#lib/domain/failure-watch.ts";

/** This process as an owner. No other process takes its claims while it renews its lease. */
export interface ProcessLease {
  /** Changes with a failover, because the database may have lost or repeated this process's writes. */
  readonly ownerId: string;
  /** The database's time. */
  now(): Date;
  isAlive(): boolean;
  /** Incremented whenever the lease may have lapsed: earlier claims are in doubt. */
  epoch(): number;
  /** Resolves while the lease is valid; await it before every claim. @throws DomainError `unavailable` */
  ready(): Promise<void>;
  /**
   * Resolves once the claims of dead processes are released. @throws DomainError `unavailable` when this process stops
   */
  deadReleased(): Promise<void>;
  /** Replaces the names under which this process locks jobs of the queue. */
  setJobWorkers(names: readonly string[]): void;
  readonly closing: AbortSignal;
  /** Ends the lease, which releases all claims immediately. */
  close(): Promise<void>;
}

export interface ProcessLeaseOptions {
  readonly databaseUrl: string;
  /** Nothing may change: the process owns nothing, and only reads the database's time. */
  readonly readOnly: boolean;
  readonly log: (message: string) => void;
  /** Notified of each renewal and each failure of one. */
  readonly watch?: FailureWatch;
}

/** A process is declared dead after this long without a renewal. */
export const LEASE_MS = 4_000;
const RENEW_EVERY_MS = 500;
const RETRY_AFTER_MS = 200;
/** Per connection and per statement. */
const TIMEOUT_MS = 1_500;
/** Safety margin by which the lease lapses here earlier than in the database. */
const MARGIN_MS = 500;
const READY_TIMEOUT_MS = 5_000;

/** Commits asynchronously: after a power failure, processes renew before any can be declared dead. */
const renewLease = `
  insert into processes (id, host, pid, job_workers, started_at, lease_until)
  values ($1, $2, $3, $4, clock_timestamp(), clock_timestamp() + make_interval(secs => $5))
  on conflict (id) do update set lease_until = excluded.lease_until, job_workers = excluded.job_workers
  returning clock_timestamp() as now, xmax = 0 as inserted, set_config('synchronous_commit', 'off', true)`;

const readTime = "select clock_timestamp() as now, false as inserted";

/**
 * Renews the lease until closed, over its own connection, so that a full pool or a locked row does not endanger claims.
 * Releases dead processes, unless its own contact with the database was interrupted recently: after an outage all live
 * processes renew first (docs/decisions/0029).
 */
export function startProcessLease({ databaseUrl, readOnly, log, watch }: ProcessLeaseOptions): ProcessLease {
  let ownerId = randomUUID();
  const clock = createDatabaseClock();
  let jobWorkers: readonly string[] = [];
  const stopping = new AbortController();
  let client: pg.Client | null = null;
  let renewedAt: Moment | null = null;
  let inContactSince: Moment | null = null;
  /** The database's timeline (begin_timeline.sql). */
  let timeline: number | null = null;
  let epoch = 0;
  let wake = Promise.withResolvers<void>();
  /** Settled by the next renewal. */
  let next = Promise.withResolvers<void>();
  const deadReleased = Promise.withResolvers<void>();
  deadReleased.promise.catch(() => {});
  if (readOnly) deadReleased.resolve();

  async function connect(): Promise<pg.Client> {
    const opened = new UtcClient({
      connectionString: databaseUrl,
      application_name: "license-desk lease",
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      statement_timeout: TIMEOUT_MS,
      keepAlive: true,
    });
    opened.on("error", () => lose(opened));
    opened.on("end", () => lose(opened));
    await opened.connect();
    return opened;
  }

  /** A broken connection interrupts the contact even if the next one is ready before a renewal is due. */
  function lose(lost: pg.Client): void {
    if (lost !== client) return;
    giveUp();
    wake.resolve();
  }

  function giveUp(): void {
    const broken = client;
    client = null;
    inContactSince = null;
    broken?.end().catch(() => {});
  }

  /**
   * After a failover the database may contain rows of this process that it has settled and forgotten. It becomes a new
   * owner: it claims again what it still works on, and the rest is released.
   */
  async function compareTimelines(opened: pg.Client): Promise<void> {
    const statement = { name: "begin_timeline", text: "select timeline, began from begin_timeline()" };
    const { rows } = await opened.query<{ timeline: number; began: boolean }>(statement);
    const [row] = rows;
    if (!row) throw new Error("begin_timeline returned no row");
    if (row.began)
      log("a standby or a backup took over: ids skip ahead, and the books are compared with the providers");
    if (timeline !== null && timeline !== row.timeline) {
      await opened.query("delete from processes where id = $1", [ownerId]);
      ownerId = randomUUID();
      epoch += 1;
      renewedAt = null;
    }
    timeline = row.timeline;
  }

  async function renew(): Promise<void> {
    if (client === null) {
      client = await connect();
      if (!readOnly) await compareTimelines(client);
    }
    const sentAt = present();
    const values = [ownerId, hostname(), process.pid, jobWorkers, LEASE_MS / 1_000];
    const statement = readOnly
      ? { name: "read_database_time", text: readTime, values: [] }
      : { name: "renew_process_lease", text: renewLease, values };
    const { rows } = await client.query<{ now: Date; inserted: boolean }>(statement);
    const [row] = rows;
    if (!row) throw new Error("renew_process_lease returned no row");
    // After a step of the database's clock, live processes have to renew first, too.
    if (renewedAt !== null && Math.abs(clock.now().getTime() - row.now.getTime()) > LEASE_MS / 2) inContactSince = null;
    clock.sample(row.now, sentAt);
    const sinceLastMs = renewedAt === null ? 0 : elapsedMs(renewedAt);
    if (renewedAt !== null && (sinceLastMs > LEASE_MS || row.inserted)) {
      epoch += 1;
      inContactSince = null;
      log(`the lease was renewed after ${Math.round(sinceLastMs)} ms: what this process had claimed is checked again`);
    }
    inContactSince ??= sentAt;
    renewedAt = sentAt;
  }

  async function releaseTheDead(): Promise<void> {
    if (readOnly || client === null || inContactSince === null || elapsedMs(inContactSince) < LEASE_MS) return;
    const statement = { name: "release_dead_processes", text: "select release_dead_processes() as count" };
    const { rows } = await client.query<{ count: number }>(statement);
    deadReleased.resolve();
    const count = rows[0]?.count ?? 0;
    if (count > 0) log(`${count} ${count === 1 ? "process was" : "processes were"} declared dead`);
  }

  async function beat(): Promise<boolean> {
    const awaited = next;
    next = Promise.withResolvers();
    next.promise.catch(() => {});
    try {
      await renew();
      awaited.resolve();
      await releaseTheDead();
      watch?.succeeded();
      return true;
    } catch (error) {
      if (!stopping.signal.aborted) watch?.failed(outageKindOf(error) ?? "refused");
      awaited.reject(error);
      giveUp();
      return false;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers();
      const pauseMs = (await beat()) ? RENEW_EVERY_MS : RETRY_AFTER_MS;
      await Promise.race([wake.promise, sleep(pauseMs, undefined, { ref: false })]);
    }
  }

  next.promise.catch(() => {});
  const running = run();
  const lease: ProcessLease = {
    get ownerId() {
      return ownerId;
    },
    now: clock.now,
    isAlive: () => !stopping.signal.aborted && renewedAt !== null && elapsedMs(renewedAt) < LEASE_MS - MARGIN_MS,
    epoch: () => epoch,

    async ready() {
      if (lease.isAlive()) return;
      if (stopping.signal.aborted) throw unavailable();
      const renewal = next.promise;
      wake.resolve();
      await Promise.race([renewal, sleep(READY_TIMEOUT_MS, undefined, { ref: false })]).catch(translateDatabaseError);
      if (!lease.isAlive()) throw unavailable();
    },

    deadReleased: () => deadReleased.promise,

    setJobWorkers(names) {
      jobWorkers = names;
      wake.resolve();
    },

    closing: stopping.signal,

    async close() {
      stopping.abort();
      wake.resolve();
      deadReleased.reject(unavailable());
      await running;
      const last = client;
      client = null;
      await last?.query("delete from processes where id = $1", [ownerId]).catch(() => {});
      await last?.end().catch(() => {});
    },
  };
  return lease;
}
