import { randomUUID } from "node:crypto";
import { getRuntime } from "#lib/runtime.ts";
import type { TestUser } from "./dashboard.ts";
import type { Reseller } from "./world.ts";

const HOUR_MS = 3_600_000;

/** A job that a worker is at, which never goes on: as it looks while it runs. */
export async function newRunningJob(
  { resellerId, currency }: Reseller,
  { userId }: TestUser,
  licenseIds: { readonly done: readonly number[]; readonly waiting: readonly number[] },
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
      actorKind: "reseller_user",
      userId,
      leaseToken: randomUUID(),
      leaseUntil: new Date(now.getTime() + HOUR_MS),
      createdAt: now,
      startedAt: now,
      items: { create: items.map((item, index) => ({ ...item, position: index + 1, input: {} })) },
    },
  });
  return id;
}

/** Copies of a license at other addresses: enough of them for pages, without asking the provider for each. */
export async function copyLicense(licenseId: number, count: number): Promise<void> {
  await getRuntime().db.query({
    text: `insert into licenses (key, reseller_id, product_id, cycle_id, ip_address, issued_at, anchored_at, expires_at, provisioned_at)
           select 'copy-' || l.id || '-' || n, l.reseller_id, l.product_id, l.cycle_id,
                  '10.200.' || (l.id & 255) || '.' || n, l.issued_at, l.anchored_at, l.expires_at, l.provisioned_at
             from licenses l, generate_series(1, $2::int) n where l.id = $1`,
    values: [licenseId, count],
  });
}
