import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { CostLines } from "#components/ui/cost-lines.tsx";
import { Money } from "#components/ui/money.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { WalletBalance } from "#components/wallet/use-balance.ts";
import { type CycleChoice, type ProductChoice, termText, totalOf } from "./registration.ts";

export interface RegisterSummaryProps {
  readonly product: Pick<ProductChoice, "name"> | null;
  readonly cycle: CycleChoice | null;
  readonly balance: WalletBalance;
  /** It was refused, which is said above the button: then what would be refused is not said as well. */
  readonly refused: boolean;
  /** The button. */
  readonly children: ReactNode;
}

/** What it costs and what is left afterwards, right above the button. */
export function RegisterSummary({ product, cycle, balance, refused, children }: RegisterSummaryProps) {
  const total = cycle === null ? null : totalOf(cycle);
  const { currency } = balance;
  const now = BigInt(balance.minor);
  const short = total !== null && total > now ? total - now : null;
  return (
    <section aria-label="Summary" className="rounded-lg border bg-surface p-4 shadow-raised lg:sticky lg:top-20">
      <h2 className="font-semibold text-base">Summary</h2>
      {product === null || cycle === null || total === null ? (
        <p className="mt-1 text-sm text-text-muted">Choose a product to see what it costs.</p>
      ) : (
        <p className="mt-1 text-sm text-text-muted">
          {product.name}, {cycle.name.toLowerCase()}
        </p>
      )}
      <div className="mt-3" role="status">
        <CostLines
          lines={[
            ...(cycle === null || total === null
              ? []
              : [
                  {
                    label: `Price per ${termText(cycle.months)}`,
                    value: <Money currency={currency} minor={cycle.price} />,
                  },
                  ...(cycle.setupFee === "0"
                    ? []
                    : [{ label: "Set-up fee, once", value: <Money currency={currency} minor={cycle.setupFee} /> }]),
                  { label: "Charged now", value: <Money currency={currency} minor={total} />, strong: true },
                ]),
            { label: "Balance now", value: <Money currency={currency} minor={now} /> },
            ...(total === null || short !== null
              ? []
              : [{ label: "Balance after", value: <Money currency={currency} minor={now - total} />, strong: true }]),
          ]}
        />
        {short !== null && !refused && (
          <p className="mt-3 flex items-start gap-2 rounded-md bg-caution-soft p-2.5 text-sm">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-caution" />
            <span>
              The balance is <Money className="font-medium" currency={currency} minor={short} /> too low, so this
              registration would be refused. <TextLink href="/wallet">See the wallet</TextLink>
            </span>
          </p>
        )}
      </div>
      <div className="mt-4">{children}</div>
      <p className="mt-2.5 text-text-muted text-xs">
        The money is held while the provider is asked, and charged only when it confirms.
      </p>
    </section>
  );
}
