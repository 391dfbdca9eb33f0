import { announcePrices, emitRenewalFailure } from "#lib/db/renewal/event.ts";
import {
  getRenewalRules,
  listDueRenewables,
  listResellersWithDueRenewals,
  queueRenewals,
  type RenewableRow,
  type RenewalRules,
  wakeDueRenewals,
} from "#lib/db/renewal/renewable.ts";
import { type DomainErrorCode, isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { compareRenewals, type RenewalCursor, type RenewalFailureReason } from "#lib/domain/renewal.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { onBehalfOf, requireSystem, type ServiceContext } from "#lib/services/context.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { announcementOf, assessRenewable, priceData } from "./assess.ts";
import { priceRenewable } from "./price.ts";

export interface RenewalRun {
  readonly renewed: number;
  /** Sent, with an open outcome. */
  readonly pending: number;
  /** Reported by `license.renewal_failed`; retried at each run until the term ends. */
  readonly failed: number;
  /** The price has risen and its notice has not ended. */
  readonly waiting: number;
  /** Another operation is open, it has been renewed, or the provider accepts no more requests at the moment. */
  readonly skipped: number;
}

type Outcome = keyof RenewalRun;

/** Other errors are no failure: the license has changed meanwhile. */
const failureReasons: { readonly [code in DomainErrorCode]?: RenewalFailureReason } = {
  insufficient_balance: "insufficient_balance",
  cycle_not_found: "no_price",
  provider_rejected: "provider_failed",
  provider_unavailable: "provider_failed",
  provider_busy: "provider_failed",
};
const changedMeanwhile: ReadonlySet<DomainErrorCode> = new Set([
  "price_changed",
  "reseller_suspended",
  "state_invalid",
  "operation_in_progress",
  "license_not_found",
  "bundle_instance_not_found",
]);

/** A term that ends later is renewed by one of the next runs, if the provider accepts no more requests now. */
const NEXT_RUNS_MS = 60 * 60_000;

/** A reseller's renewals per turn, and the time within which they start. */
const TURN = { renewals: 10, ms: 1_000 };

/**
 * Renews everything that is due with auto-renew (docs/money.md), per reseller one after the other: the earliest end
 * first, then the cheaper; one that cannot be paid does not stop the rest. Resellers take turns. A risen price is
 * charged only within the reseller's rules (`assessRenewalPrice`). Concurrent runs renew a term once.
 * @param input.resellerId default: all resellers
 */
export async function runDueRenewals(
  ctx: ServiceContext,
  input: { readonly resellerId?: ResellerId } = {},
): Promise<RenewalRun> {
  requireSystem(ctx);
  const run = newRun();
  const errors: unknown[] = [];
  const { resellerId } = input;
  const resellerIds = resellerId === undefined ? await listResellersWithDueRenewals(ctx.db, ctx.now()) : [resellerId];
  const turns: RenewalTurn[] = resellerIds.map((id) => ({ resellerId: id, after: null }));
  for (const turn of turns) {
    const rest = await runTurn(ctx, turn, run, errors);
    if (rest) turns.push({ resellerId: turn.resellerId, after: rest });
  }
  throwAll(errors);
  return run;
}

/**
 * One turn of a reseller, starting after `after`. Queues the rest. Returns the whole run's result at its end, else
 * null.
 */
export async function runRenewalTurn(
  ctx: ServiceContext,
  turn: RenewalTurn & { readonly soFar: RenewalRun | null },
): Promise<RenewalRun | null> {
  requireSystem(ctx);
  const run = { ...newRun(), ...turn.soFar };
  const errors: unknown[] = [];
  const rest = await runTurn(ctx, turn, run, errors);
  if (rest) await queueRenewals(ctx.db, turn.resellerId, { after: rest, soFar: run }, ctx.now());
  throwAll(errors);
  return rest ? null : run;
}

export interface RenewalTurn {
  readonly resellerId: ResellerId;
  readonly after: RenewalCursor | null;
}

const newRun = () => ({ renewed: 0, pending: 0, failed: 0, waiting: 0, skipped: 0 });

function throwAll(errors: readonly unknown[]): void {
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} renewals failed unexpectedly`);
}

/** Returns the start of the next turn, or null at the end. */
async function runTurn(
  ctx: ServiceContext,
  { resellerId, after }: RenewalTurn,
  run: Record<Outcome, number>,
  errors: unknown[],
): Promise<RenewalCursor | null> {
  const rules = await getRenewalRules(ctx.db, resellerId);
  const now = ctx.now();
  // One more than a turn's: the next turn's first.
  const from = after && after.dueAt > now ? after.dueAt : now;
  const page = { now, from, limit: TURN.renewals + 1 };
  const due = (await listDueRenewables(ctx.db, resellerId, page))
    .map((row) => {
      const { price, expiresAt } = priceRenewable(row);
      return { ...row, price, dueAt: expiresAt };
    })
    .filter((row) => after === null || compareRenewals(row, after) > 0)
    .sort(compareRenewals);
  const endsAtMs = performance.now() + TURN.ms;
  let last: (typeof due)[number] | null = null;
  for (const row of due.slice(0, TURN.renewals)) {
    if (last !== null && performance.now() >= endsAtMs) break;
    last = row;
    // An unexpected error must not keep the others from being renewed.
    await renewUnlessRisen(ctx, resellerId, row, rules).then(
      (outcome) => run[outcome]++,
      (error) => {
        if (isDomainError(error) && error.code === "unavailable") throw error;
        errors.push(error);
      },
    );
  }
  if (last === null || last === due.at(-1)) return null;
  const { kind, id, dueAt, price } = last;
  return { kind, id, dueAt, price };
}

/** Queues a job for each reseller with due renewals; returns the number of these resellers. */
export async function wakeRenewals(ctx: ServiceContext): Promise<number> {
  requireSystem(ctx);
  return wakeDueRenewals(ctx.db, ctx.now());
}

/** Does not charge a price above the reseller's limit or without timely notice. */
async function renewUnlessRisen(
  ctx: ServiceContext,
  resellerId: ResellerId,
  row: RenewableRow,
  rules: RenewalRules,
): Promise<Outcome> {
  const now = ctx.now();
  const assessment = assessRenewable(row, rules, now);
  const announcements = announcementOf(row, assessment, now);
  if (announcements.length > 0) await announcePrices(ctx.db, resellerId, announcements, now);
  if (assessment?.blocked) {
    const { kind, id, expiresAt: termEndsAt } = row;
    const failure = {
      kind,
      id,
      reason: "price_limit",
      termEndsAt,
      data: priceData(row),
      attemptedAt: now,
      now,
    } as const;
    await emitRenewalFailure(ctx.db, failure);
    return "failed";
  }
  if (assessment?.verdict.kind === "chargeable" && assessment.verdict.from !== null) return "waiting";
  return renew(ctx, resellerId, row, rules);
}

async function renew(
  ctx: ServiceContext,
  resellerId: ResellerId,
  row: RenewableRow,
  renewalRules: RenewalRules,
): Promise<Outcome> {
  const { kind, id, expiresAt: termEndsAt } = row;
  const terms = { termEndsAt, agreedPrice: row.price ?? undefined, renewalRules };
  const attemptedAt = ctx.now();
  const acting = onBehalfOf(ctx, resellerId, [kind === "license" ? "licenses:write" : "bundles:write"]);
  try {
    const { pending } =
      kind === "license"
        ? await renewLicense(acting, { licenseId: id, ...terms })
        : await renewBundle(acting, { bundleInstanceId: id, ...terms });
    return pending ? "pending" : "renewed";
  } catch (error) {
    if (!isDomainError(error)) throw error;
    if (changedMeanwhile.has(error.code)) return "skipped";
    const leftMs = termEndsAt.getTime() - ctx.now().getTime();
    if (error.code === "provider_busy" && leftMs > NEXT_RUNS_MS) return "skipped";
    const reason = failureReasons[error.code];
    if (reason === undefined) throw error;
    const { price, currency } = priceData(row);
    const data = reason === "insufficient_balance" ? { price, currency } : {};
    await emitRenewalFailure(ctx.db, { kind, id, reason, termEndsAt, data, attemptedAt, now: ctx.now() });
    return "failed";
  }
}
