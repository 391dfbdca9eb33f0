import { getRenewalRules, listRenewables, type RenewalRules } from "#lib/db/renewal/renewable.ts";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { type Renewal, renewalCalendar } from "#lib/domain/renewal.ts";
import { type AgreedRenewalPrice, assessRenewalPrice, findPriceObstacle } from "#lib/domain/renewal-price.ts";
import { computeRunway, runwayByDay, topUpNeeded } from "#lib/domain/runway.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { priceRenewable } from "#lib/services/renewals/price.ts";
import { keepFigures } from "#lib/services/reseller/kept-figures.ts";

const MS_PER_DAY = 24 * 60 * 60 * 1000;
const HORIZON_DAYS = 90;
const MAX_LAPSES = 100;
const MAX_RISEN = 100;
const MAX_NAMED_A_DAY = 3;

/** Minor units of the runway's currency. `dueAt`: the end of the term that it follows. */
export interface ComingRenewal extends Renewal {
  /** Product or bundle, and where it runs. */
  readonly label: string;
}

/** One whose price has risen above what was agreed to. */
export interface RisenRenewal extends ComingRenewal, Pick<AgreedRenewalPrice, "agreedPrice"> {
  /** Why it is not renewed before its term ends; null: it is, once the notice is over. */
  readonly obstacle: "above_limit" | "short_notice" | null;
}

/** What falls due on one day (UTC); `sum` in minor units, lapses included. */
export interface RenewalDay {
  readonly day: Date;
  readonly count: number;
  readonly sum: bigint;
  readonly lapseCount: number;
  /** The first few of them, those that lapse before the others. */
  readonly labels: readonly string[];
}

/** Money in minor units of `currency`. */
export interface WalletRunway {
  readonly currency: Currency;
  readonly spendable: bigint;
  /** How far ahead it looks. */
  readonly horizonDays: number;
  /** What falls due within the horizon and is not blocked by its price, at today's prices. */
  readonly renewalCount: number;
  readonly renewalSum: bigint;
  /** Until then the balance pays every renewal; null: to the end of the horizon. */
  readonly coversUntil: Date | null;
  /** The first hundred of what would end unrenewed, and how many there are. */
  readonly lapses: readonly ComingRenewal[];
  readonly lapseCount: number;
  /** Those whose price has risen: the first hundred, the blocked ones before the others. */
  readonly risen: readonly RisenRenewal[];
  readonly risenCount: number;
  /** Of them, those that are not renewed at this price. */
  readonly blockedCount: number;
  /** The days of the horizon on which something falls due; what has lapsed before does not come again. */
  readonly days: readonly RenewalDay[];
  /** When that of a large account was computed; null: now. */
  readonly computedAt: Date | null;
  /** What must be topped up for every renewal of so many days. */
  readonly topUpNeeded: { readonly days30: bigint; readonly days60: bigint; readonly days90: bigint };
}

/**
 * Sets the coming renewals against the balance: of what renews by itself, or with `all` of whatever could be renewed.
 */
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

async function computeWalletRunway(ctx: ServiceContext, resellerId: ResellerId, all: boolean) {
  const now = ctx.now();
  const until = new Date(now.getTime() + HORIZON_DAYS * MS_PER_DAY);
  const [wallet, rules, rows] = await Promise.all([
    getWallet(ctx.db, resellerId),
    getRenewalRules(ctx.db, resellerId),
    listRenewables(ctx.db, resellerId, { now, until, all }),
  ]);
  const spendable = wallet.posted - wallet.held;
  const priced = rows.map(priceRenewable);
  // What renews by hand is agreed to when it does.
  const risen = all ? [] : risenOf(priced, rules, now);
  const blocked = new Set(risen.filter(({ obstacle }) => obstacle !== null).map(({ of }) => of));
  const renewing = priced.filter((row) => !blocked.has(row));
  const calendar = renewalCalendar(renewing, now, until);
  const runway = computeRunway(spendable, calendar);
  const { coversUntil, lapses } = runway;
  return {
    currency: wallet.currency,
    spendable,
    horizonDays: HORIZON_DAYS,
    renewalCount: calendar.length,
    renewalSum: calendar.reduce((sum, { price }) => sum + (price ?? 0n), 0n),
    coversUntil,
    lapses: lapses
      .slice(0, MAX_LAPSES)
      .map(({ kind, id, dueAt, price, of }) => ({ kind, id, label: of.label, dueAt, price })),
    lapseCount: lapses.length,
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
    topUpNeeded: {
      days30: topUpNeeded(spendable, calendar, now, 30),
      days60: topUpNeeded(spendable, calendar, now, 60),
      days90: topUpNeeded(spendable, calendar, now, 90),
    },
  };
}

type Priced = ReturnType<typeof priceRenewable>;

/** The blocked ones before the others, each by its end. */
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
