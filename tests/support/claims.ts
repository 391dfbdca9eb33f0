import type { Database } from "#lib/db/connection/client.ts";
import type { PendingWrites } from "#lib/db/connection/transaction.ts";
import type { ClaimedKey } from "#lib/services/context.ts";
import { staleLease } from "./process.ts";

/** A context with a claimed key that has no record, whose writes are committed immediately. */
export function formKey(db: Database, key: string): { readonly claim: ClaimedKey } {
  const pending: PendingWrites = {
    writes: db,
    reads: db,
    hasBegun: () => false,
    afterCommit: (effect) => effect(),
    commit: async () => {},
    rollback: async () => {},
  };
  return { claim: { key, requestHash: Buffer.alloc(32), lease: staleLease(), pending, isOpen: false } };
}
