import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beginBulkItem, claimBulkJob, yieldBulkJob } from "#lib/db/bulk/run.ts";
import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import type { TestUser } from "./dashboard.ts";
import type { Reseller } from "./world.ts";

const CLAIM_TIMEOUT_MS = 10_000;
const CLAIM_POLL_MS = 50;

/** A job that a worker is at, which never goes on: as it looks while it runs. */
export async function newRunningJob(
  { resellerId, currency }: Reseller,
  { userId }: TestUser,
  licenseIds: { readonly done: readonly number[]; readonly waiting: readonly number[] },
  actorKind: "reseller_user" | "admin" = "reseller_user",
): Promise<number> {
  const now = new Date();
  const items = [
    ...licenseIds.done.map(
      (licenseId) => ({ licenseId, state: "succeeded", chargedAmount: 1450n, endedAt: now }) as const,
    ),
    ...licenseIds.waiting.map((licenseId) => ({ licenseId, state: "queued" }) as const),
  ];
  const { id } = await getRuntime().db.prisma.bulkJob.create({
    data: {
      resellerId,
      kind: "renew",
      parameters: {},
      state: "running",
      quotedTotal: 1450n * BigInt(items.length),
      currency,
      actorKind,
      userId,
      // Of a process that never dies.
      ownerId: await addProcess(),
      leaseToken: randomUUID(),
      createdAt: now,
      startedAt: now,
      items: { create: items.map((item, index) => ({ ...item, position: index + 1, input: {} })) },
    },
  });
  return id;
}

async function addProcess(): Promise<string> {
  const id = randomUUID();
  await getRuntime().db.query(
    sql(
      `insert into processes (id, host, pid, job_workers, started_at, lease_until) values ($1, 'test', 0, '{}', now(), now() + interval '9 minutes')`,
    ),
    [id],
  );
  return id;
}

/** A worker that has taken up a job that is all or nothing, and does nothing until it is told to. */
export interface HaltedWorker {
  /** Begins the next item; says whether it is being taken back. */
  begin(): Promise<boolean>;
  /** Leaves the job to the others. */
  release(): Promise<void>;
}

/** Takes up a job as soon as nobody is at it, e.g. while it waits for the provider. */
export async function haltJob(jobId: number): Promise<HaltedWorker> {
  const { db } = getRuntime();
  const lease = { ownerId: await addProcess(), token: randomUUID(), isHeld: () => true, confirm: async () => true };
  for (const deadline = Date.now() + CLAIM_TIMEOUT_MS; Date.now() < deadline; await sleep(CLAIM_POLL_MS)) {
    const job = await claimBulkJob(db, lease, jobId, new Date());
    if (!job) continue;
    return {
      begin: async () =>
        (await beginBulkItem(db, lease, job.id, { allOrNothing: true, now: new Date() }))?.undoing ?? false,
      release: () => yieldBulkJob(db, lease, job.id, new Date()),
    };
  }
  throw new Error(`somebody is at job ${jobId} all the time`);
}

/** Copies of a license at other addresses: enough of them for pages, without asking the provider for each. */
export async function copyLicense(licenseId: number, count: number): Promise<void> {
  await getRuntime().db.query(
    sql(`insert into licenses (key, reseller_id, product_id, cycle_id, ip_address, issued_at, anchored_at, expires_at, provisioned_at)
           select 'copy-' || l.id || '-' || n, l.reseller_id, l.product_id, l.cycle_id,
                  '10.200.' || (l.id & 255) || '.' || n, l.issued_at, l.anchored_at, l.expires_at, l.provisioned_at
             from licenses l, generate_series(1, $2::int) n where l.id = $1`),
    [licenseId, count],
  );
}
