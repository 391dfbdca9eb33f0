import { expect } from "@playwright/test";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { ProviderBookEntry } from "#lib/ports/license-provider.ts";
import { getRuntime } from "#lib/runtime.ts";
import { readProviderBooks } from "#lib/services/provider/books.ts";
import { sql } from "#tests/sql.ts";
import { systemContext } from "./world.ts";

export interface Traces {
  readonly operations: number;
  readonly licenses: number;
  readonly bundleInstances: number;
  readonly entries: number;
  readonly events: number;
  readonly posted: bigint;
  readonly held: bigint;
}

/** What a reseller's requests have left in the database. */
export async function readTraces(resellerId: ResellerId): Promise<Traces> {
  const [row] = await getRuntime().db.query(
    sql<
      Traces & Record<string, unknown>
    >(`select (select count(*)::int from operations o where o.reseller_id = w.reseller_id) as operations,
                  (select count(*)::int from licenses l where l.reseller_id = w.reseller_id) as licenses,
                  (select count(*)::int from bundle_instances b where b.reseller_id = w.reseller_id) as "bundleInstances",
                  (select count(*)::int from ledger_entries e where e.reseller_id = w.reseller_id) as entries,
                  (select count(*)::int from events v where v.reseller_id = w.reseller_id) as events,
                  w.posted, w.held
             from wallets w where w.reseller_id = $1`),
    [resellerId],
  );
  if (!row) throw new Error(`reseller ${resellerId} has no wallet`);
  return row;
}

/** The books of one reseller agree: posted is the sum of its entries, held that of its open holds. */
export async function expectBalancedBooks(resellerId: ResellerId): Promise<void> {
  const [row] = await getRuntime().db.query(
    sql(`select w.posted = coalesce((select sum(e.amount) from ledger_entries e where e.reseller_id = w.reseller_id), 0) as posted,
                  w.held = coalesce((select sum(o.hold_amount) from operations o
                            where o.reseller_id = w.reseller_id and o.state in ('held', 'sent', 'unknown')), 0) as held
             from wallets w where w.reseller_id = $1`),
    [resellerId],
  );
  expect(row).toEqual({ posted: true, held: true });
}

/** Kinds of a reseller's events, oldest first. */
export async function listEventKinds(resellerId: ResellerId): Promise<string[]> {
  const rows = await getRuntime().db.prisma.event.findMany({
    where: { resellerId },
    orderBy: [{ occurredAt: "asc" }],
    select: { kind: true },
  });
  return rows.map(({ kind }) => kind);
}

/** What the provider holds under a license key, by its own books; null if nothing. */
export async function findAtProvider(licenseKey: string): Promise<ProviderBookEntry["facts"] | null> {
  const books = await readProviderBooks(systemContext(), { provider: "sandbox" });
  return books.find(({ reference }) => reference === licenseKey)?.facts ?? null;
}
