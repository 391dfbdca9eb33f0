import { getRenewalRules, listRenewables, type RenewalRules } from "#lib/db/renewal/renewable.ts";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { projectBalance } from "#lib/domain/projected-balance.ts";
import { renewalCalendar } from "#lib/domain/renewal.ts";
import { assessRenewalPrice, findPriceObstacle } from "#lib/domain/renewal-price.ts";
import { computeRunway, runwayByDay, topUpNeeded, type WalletRunway } from "#lib/domain/runway.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { priceRenewable } from "#lib/services/renewals/price.ts";
import { keepFigures } from "#lib/services/reseller/kept-figures.ts";

const MS_PER_DAY = 24 * 60 * 60 * 1000;
const HORIZON_DAYS = 90;
const MAX_LAPSES = 100;
const MAX_RISEN = 100;
const MAX_NAMED_A_DAY = 3;

/** Compares the balance with coming renewals: those with auto-renew, or `all`. */
export async function getWalletRunway(
  ctx: ServiceContext,
  input: { readonly all?: boolean } = {},
): Promise<WalletRunway> {
  const resellerId = requireReseller(ctx, "wallet:read");
  const { value, keptSince } = await (input.all ? allKept : ownKept)(ctx, resellerId);
  return { ...value, computedAt: keptSince };
}

const ages = { freshMs: 60_000, usableMs: 600_000 };
const ownKept = keepFigures(ages, (ctx, resellerId) => computeWalletRunway(ctx, resellerId, false));
const allKept = keepFigures(ages, (ctx, resellerId) => computeWalletRunway(ctx, resellerId, true));

/** The renewals due within `days`, automatic ones or all, and the balance that pays for them. */
export async function listComingRenewals(
  { db, now: clock }: Pick<ServiceContext, "db" | "now">,
  resellerId: ResellerId,
  { days, all }: { readonly days: number; readonly all: boolean },
) {
  const now = clock();
  const until = new Date(now.getTime() + days * MS_PER_DAY);
  const [wallet, rules, rows] = await Promise.all([
    getWallet(db, resellerId),
    getRenewalRules(db, resellerId),
    listRenewables(db, resellerId, { now, until, all }),
  ]);
  const priced = rows.map(priceRenewable);
  // Manual renewals are agreed to at the time.
  const risen = all ? [] : risenOf(priced, rules, now);
  const blocked = new Set(risen.filter(({ obstacle }) => obstacle !== null).map(({ of }) => of));
  const renewing = priced.filter((row) => !blocked.has(row));
  const spendable = wallet.posted - wallet.held;
  return { now, currency: wallet.currency, spendable, risen, blocked, calendar: renewalCalendar(renewing, now, until) };
}

async function computeWalletRunway(ctx: ServiceContext, resellerId: ResellerId, all: boolean) {
  const coming = await listComingRenewals(ctx, resellerId, { days: HORIZON_DAYS, all });
  const { now, currency, spendable, risen, blocked, calendar } = coming;
  const runway = computeRunway(spendable, calendar);
  const { coversUntil, lapses } = runway;
  return {
    currency,
    spendable,
    horizonDays: HORIZON_DAYS,
    renewalCount: calendar.filter(({ price }) => price !== null).length,
    renewalSum: calendar.reduce((sum, { price }) => sum + (price ?? 0n), 0n),
    coversUntil,
    lapses: lapses
      .slice(0, MAX_LAPSES)
      .map(({ kind, id, dueAt, price, of }) => ({ kind, id, label: of.label, dueAt, price })),
    lapseCount: lapses.length,
    unsoldCount: lapses.filter(({ price }) => price === null).length,
    risen: risen.slice(0, MAX_RISEN).map(({ of, obstacle }) => {
      const { kind, id, label, expiresAt, price, agreedPrice } = of;
      return { kind, id, label, dueAt: expiresAt, price, agreedPrice, obstacle };
    }),
    risenCount: risen.length,
    blockedCount: blocked.size,
    days: runwayByDay(runway).map((day) => ({
      day: day.day,
      count: day.paid.length + day.lapses.length,
      sum: [...day.paid, ...day.lapses].reduce((sum, { price }) => sum + (price ?? 0n), 0n),
      lapseCount: day.lapses.length,
      labels: [...day.lapses, ...day.paid].slice(0, MAX_NAMED_A_DAY).map(({ of }) => of.label),
    })),
    projected: projectBalance(spendable, calendar, { now, horizonDays: HORIZON_DAYS }),
    topUpNeeded: {
      days30: topUpNeeded(spendable, calendar, now, 30),
      days60: topUpNeeded(spendable, calendar, now, 60),
      days90: topUpNeeded(spendable, calendar, now, 90),
    },
  };
}

type Priced = ReturnType<typeof priceRenewable>;

/** Blocked ones first, each group by its end. */
function risenOf(rows: readonly Priced[], rules: RenewalRules, now: Date) {
  return rows
    .flatMap((of) => {
      if (of.price === null || (of.agreedPrice !== null && of.price <= of.agreedPrice)) return [];
      const verdict = assessRenewalPrice(of.price, of, rules, now);
      return [{ of, obstacle: findPriceObstacle(verdict, of.expiresAt) }];
    })
    .toSorted(
      (a, b) =>
        Number(a.obstacle === null) - Number(b.obstacle === null) ||
        a.of.expiresAt.getTime() - b.of.expiresAt.getTime() ||
        a.of.id - b.of.id,
    );
}
