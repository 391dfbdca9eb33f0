import { hasAnythingOnSale } from "#lib/db/catalog/list.ts";
import { countLowWallets, type FailingEndpointRow, listFailingEndpoints } from "#lib/db/overview/revenue.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { summarizeInbox } from "#lib/services/reconciliation/list-cases.ts";
import { countOpenTopUps } from "#lib/services/wallet/list-top-up-requests.ts";

const MAX_ENDPOINTS = 20;
/** Shorter failures are usual: an endpoint is retried. */
const FAILING_AFTER_MS = 3_600_000;

export interface Waiting {
  readonly topUps: number;
  readonly cases: number;
  readonly lowWallets: number;
  /** The longest failing first; at most 20. */
  readonly endpoints: readonly FailingEndpointRow[];
  /** Resellers can register something. */
  readonly sells: boolean;
}

/** What waits for an admin. */
export async function getWaiting(ctx: ServiceContext): Promise<Waiting> {
  requireAdmin(ctx, "admin:read");
  const before = new Date(ctx.now().getTime() - FAILING_AFTER_MS);
  const [topUps, { open }, lowWallets, endpoints, sells] = await Promise.all([
    countOpenTopUps(ctx),
    summarizeInbox(ctx),
    countLowWallets(ctx.db),
    listFailingEndpoints(ctx.db, { before, limit: MAX_ENDPOINTS }),
    hasAnythingOnSale(ctx.db),
  ]);
  return { topUps, cases: open, lowWallets, endpoints, sells };
}
