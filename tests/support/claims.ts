import { expect } from "vitest";
import type { Database } from "#lib/db/client.ts";
import type { PendingWrites } from "#lib/db/transaction.ts";
import type { ClaimedKey, ServiceContext } from "#lib/services/context.ts";
import { claimKey } from "#lib/services/idempotency/claim.ts";
import { staleLease } from "./process.ts";

/** The context of a request that gets its key. */
export async function claimed(
  ctx: ServiceContext,
  key: string,
  requestHash = Buffer.alloc(32),
): Promise<ServiceContext> {
  const found = await claimKey(ctx, { key, requestHash });
  return found.kind === "claimed" ? found.ctx : expect.unreachable(`${key} is ${found.kind}`);
}

/** For a context: a key that was claimed once and is in no record. What is written under it is committed at once. */
export function formKey(db: Database, key: string): { readonly claim: ClaimedKey } {
  const pending: PendingWrites = {
    writes: db,
    reads: db,
    hasBegun: () => false,
    commit: async () => {},
    rollback: async () => {},
  };
  return { claim: { key, requestHash: Buffer.alloc(32), lease: staleLease(), pending, isOpen: false } };
}
