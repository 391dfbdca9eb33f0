import { setTimeout as sleep } from "node:timers/promises";
import { findKnownReferences } from "#lib/db/provider/provider.ts";
import {
  type BookDetailRow,
  listWantedDetails,
  storeBookDetails,
  storeBookPage,
  type WantedDetail,
} from "#lib/db/reconciliation/books.ts";
import type { Comparison } from "#lib/db/reconciliation/comparison.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { getProvider } from "#lib/services/provider/get.ts";
import { toDetailRow, toEntryRow } from "./book-rows.ts";

/** Single licenses read in each comparison unless complete: the provider limits our requests. */
const MAX_DETAILS = 400;
const DETAIL_PAGE_SIZE = 50;
/** Pauses of a complete reading while the provider rejects requests, at most so many in a row. */
const PAUSE_MS = 20_000;
const MAX_PAUSES = 6;

/**
 * Reads a provider's books into the comparison, then single licenses for unreported facts.
 * @param how `complete`: reads every such license, pausing while the provider rejects requests
 * @throws DomainError `provider_unavailable`
 */
export async function readBooks(
  ctx: ServiceContext,
  comparison: Comparison,
  how: { readonly complete: boolean; readonly pauseMs?: number },
): Promise<void> {
  requireAdmin(ctx, "cases:decide");
  const { complete, pauseMs = PAUSE_MS } = how;
  const provider = await getProvider(ctx, comparison.provider);
  const findKnown = (names: readonly string[]) => findKnownReferences(ctx.db, comparison.provider, names);
  const hasDetails = provider.bookDetails !== undefined;
  for await (const page of provider.bookPages(findKnown)) {
    const rows = page.map((entry) => toEntryRow(entry, { hasDetails }));
    await storeBookPage(ctx.db, comparison, rows);
  }
  if (!provider.bookDetails) return;
  let wanted = await listWantedDetails(ctx.db, comparison, complete ? null : MAX_DETAILS);
  for (let pauses = 0; wanted.length > 0 && pauses <= MAX_PAUSES; ) {
    const read = await readDetails(provider, wanted, (rows) => storeBookDetails(ctx.db, comparison, rows));
    wanted = wanted.slice(read);
    if (!complete) return;
    pauses = read > 0 ? 0 : pauses + 1;
    if (wanted.length > 0) await sleep(pauseMs);
  }
}

/** Stores the details in pages; returns how many of the wanted licenses have been read. */
async function readDetails(
  provider: LicenseProvider,
  wanted: readonly WantedDetail[],
  store: (rows: readonly BookDetailRow[]) => Promise<void>,
): Promise<number> {
  let page: BookDetailRow[] = [];
  let read = 0;
  for await (const detail of provider.bookDetails?.(wanted.map(({ name }) => name)) ?? []) {
    const entry = wanted[read];
    read += 1;
    if (detail === null || entry === undefined) continue;
    page.push(toDetailRow(entry.reference, detail));
    if (page.length < DETAIL_PAGE_SIZE) continue;
    await store(page);
    page = [];
  }
  if (page.length > 0) await store(page);
  return read;
}
