import { listProductsOfProvider, listSlugs, writeProducts } from "#lib/db/catalog/import.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import { type MarkupRounding, type MarkupRule, parsePercent } from "#lib/domain/markup.ts";
import type { Currency } from "#lib/domain/money.ts";
import { parseTypedAmount } from "#lib/domain/typed-amount.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { getProviderAccount } from "#lib/services/provider/get.ts";
import { fingerprintSecret, type ImportPlan, planImport } from "./plan-import.ts";

export interface ImportInput {
  readonly provider: string;
  /** Markup on the provider's price, e.g. `"12.5"`; may be negative. */
  readonly percent: string;
  /** Added to each cycle's price, in major units of the provider's currency, e.g. `"1.50"`; may be negative. */
  readonly fixed: string;
  readonly rounding: MarkupRounding;
  /** Prices below cost are raised to cost unless this is set. */
  readonly allowBelowCost?: boolean | undefined;
  /** Returns the plan without importing. */
  readonly dryRun: boolean;
  /** `fingerprint` of a dry run: the import is rejected if its plan has changed. */
  readonly expected?: string | undefined;
}

export interface ImportResult extends ImportPlan {
  readonly fingerprint: string;
}

/**
 * Imports a provider's products and cycles, with list prices at a markup on the provider's prices, in its currency.
 * Repeatable. Does not change resellers' own prices, other currencies, other providers' products, bundles, or products
 * and cycles that the provider no longer sells, which the result lists.
 * @throws DomainError `parameters_invalid`, `not_found`, `state_invalid` (the sandbox), `provider_unavailable`,
 * `conflict` (a concurrent import, or a changed plan).
 */
export async function importFromProvider(ctx: ServiceContext, input: ImportInput): Promise<ImportResult> {
  requireAdmin(ctx, "catalog:write");
  const ruleFor = readRule(input);
  const account = await getProviderAccount(ctx, input.provider);
  const [offered, stored, slugs] = await Promise.all([
    account.listProducts(),
    listProductsOfProvider(ctx.db, input.provider),
    listSlugs(ctx.db),
  ]);
  const plan = planImport({ offered, stored, slugs, ruleFor });
  const result = { ...plan, fingerprint: fingerprintSecret(plan) };
  if (input.dryRun) return result;
  if (input.expected !== undefined && input.expected !== result.fingerprint) {
    throw new DomainError(
      "conflict",
      "The provider's catalog or ours has changed since the preview. Refresh the preview.",
    );
  }
  const { percent, fixed, rounding, allowBelowCost = false } = input;
  await writeProducts(
    ctx.db,
    input.provider,
    plan.products.map(({ change }) => change),
    auditRecord(ctx, {
      action: "catalog.import",
      subject: `provider:${input.provider}`,
      label: input.provider,
      data: { percent, fixed, rounding, allowBelowCost },
    }),
  );
  return result;
}

/** The rule per currency: `fixed` depends on its minor units. */
function readRule({
  percent,
  fixed,
  rounding,
  allowBelowCost = false,
}: ImportInput): (currency: Currency) => MarkupRule {
  const percentHundredths = parsePercent(percent);
  if (percentHundredths === null) throw malformed("percent", "must be a number such as 12.5");
  return (currency) => {
    const { minor, problem } = parseTypedAmount(fixed, currency);
    if (minor === undefined) throw malformed("fixed", problem ?? `must be an amount of ${currency}`);
    return { percentHundredths, fixed: minor, rounding, allowBelowCost };
  };
}
