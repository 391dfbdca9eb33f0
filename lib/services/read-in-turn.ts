import { unavailable } from "#lib/db/connection/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { Turns } from "#lib/domain/turns.ts";

/**
 * Of this process. Other requests have the other connections; each page takes milliseconds, so whoever waits this long has
 * hundreds of streams.
 */
const pages = new Turns({ slots: 3, slotsOfOne: 2, patienceMs: 15_000 });

/**
 * Reads a page of a stream. Resellers take turns: streams, of which one can start any number, would otherwise keep all
 * connections busy. `resellerId`: null for admins.
 * @throws DomainError `unavailable` if no turn came
 */
export async function readInTurn<Page extends object>(
  resellerId: ResellerId | null,
  read: () => Promise<Page>,
): Promise<Page> {
  const page = await pages.take(resellerId ?? 0, read);
  if (page === null) throw unavailable();
  return page;
}
