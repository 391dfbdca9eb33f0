import { type FailingVerification, listFailingVerifications } from "#lib/db/overview/failing-verification.ts";
import {
  countLicenses,
  type FirstSteps,
  findFirstSteps,
  findOpenAlerts,
  type LicenseCounts,
  listProductProviders,
  listRecentEvents,
  type OpenAlerts,
  type RecentEventRow,
} from "#lib/db/overview/overview.ts";
import { listProductRevenue } from "#lib/db/overview/revenue.ts";
import { lastMonths } from "#lib/domain/months.ts";
import type { ProviderHealth } from "#lib/ports/license-provider.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { keepFigures } from "#lib/services/reseller/kept-figures.ts";

export type { FirstSteps, RecentEventRow } from "#lib/db/overview/overview.ts";

const SPEND_MONTHS = 6;
const FAILING_SHOWN = 5;
/** Slower responses are reported as slow. */
const SLOW_MS = 3_000;

/** Whether changes reach the providers, without their names. */
type SupplyState = "operational" | "slow" | "unavailable";

export interface Supply {
  readonly state: SupplyState;
  /** Names of the products that are not operational. */
  readonly affected: readonly string[];
}

/** Charges less refunds and credits of one product or bundle in one month (UTC); minor units of the wallet's currency. */
export interface Spend {
  readonly month: Date;
  readonly name: string;
  readonly amount: bigint;
}

export interface Overview {
  readonly licenses: Omit<LicenseCounts, "lapsing">;
  readonly alerts: OpenAlerts & Pick<LicenseCounts, "lapsing">;
  readonly failingVerifications: readonly FailingVerification[];
  /** When a large reseller's licenses were counted; null: now. */
  readonly countedAt: Date | null;
  /** Starts of the months in `spend`, oldest first. */
  readonly months: readonly Date[];
  readonly spend: readonly Spend[];
  readonly supply: Supply;
  readonly recent: readonly RecentEventRow[];
  readonly firstSteps: FirstSteps;
}

const MINUTE_MS = 60_000;

const countKept = keepFigures({ freshMs: 0.5 * MINUTE_MS, usableMs: 10 * MINUTE_MS }, async (ctx, resellerId) =>
  countLicenses(await ctx.db.reads(), resellerId, ctx.now()),
);

/** A reseller's licenses, alerts, spending and recent events. */
export async function getOverview(ctx: ServiceContext): Promise<Overview> {
  const resellerId = requireResellerUser(ctx, "wallet:read");
  const now = ctx.now();
  const months = lastMonths(now, SPEND_MONTHS);
  const reads = await ctx.db.reads();
  const [counted, alerts, spend, supply, recent, firstSteps, failingVerifications] = await Promise.all([
    countKept(ctx, resellerId),
    findOpenAlerts(ctx.db, resellerId, now),
    listProductRevenue(reads, { since: months[0] ?? now, resellerId }),
    readSupply(ctx),
    listRecentEvents(reads, resellerId),
    findFirstSteps(reads, resellerId),
    listFailingVerifications(reads, resellerId, now, FAILING_SHOWN),
  ]);
  const { lapsing, ...licenses } = counted.value;
  return {
    licenses,
    alerts: { ...alerts, lapsing },
    failingVerifications,
    countedAt: counted.keptSince,
    months,
    spend: spend
      .map(({ month, name, revenue }) => ({ month, name, amount: revenue }))
      .filter(({ amount }) => amount !== 0n),
    supply,
    recent,
    firstSteps,
  };
}

async function readSupply({ db, providers }: ServiceContext): Promise<Supply> {
  const products = await listProductProviders(db);
  const names = [...new Set(products.map(({ providerName }) => providerName))];
  const states = new Map(
    await Promise.all(
      names.map(async (name) => {
        const provider = await providers.get(name);
        return [name, provider ? supplyState(provider.health?.() ?? null) : "unavailable"] as const;
      }),
    ),
  );
  const all = [...states.values()];
  const affected = products.filter(({ providerName }) => states.get(providerName) !== "operational");
  return {
    state: all.includes("unavailable") ? "unavailable" : all.includes("slow") ? "slow" : "operational",
    affected: affected.map(({ productName }) => productName),
  };
}

/** Null: the provider does not report its health. */
function supplyState(health: ProviderHealth | null): SupplyState {
  if (health === null) return "operational";
  switch (health.state) {
    case "open":
    case "disabled":
      return "unavailable";
    case "half_open":
      return "slow";
    case "closed":
      return (health.lastLatencyMs ?? 0) > SLOW_MS ? "slow" : "operational";
    default:
      return health.state satisfies never;
  }
}
