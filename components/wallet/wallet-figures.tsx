import type { ReactNode } from "react";
import { cx } from "#components/ui/cx.ts";
import { Money } from "#components/ui/money.tsx";
import type { Balance } from "#lib/services/wallet/balance.ts";

/** What can be spent, and why it is less than what was paid in. */
export function WalletFigures({ currency, spendable, held, posted }: Balance) {
  const available = <Money currency={currency} minor={spendable} />;
  if (held === 0n) {
    return (
      <dl className="overflow-clip rounded-lg border shadow-raised">
        <Figure hint="Nothing is held" label="Available balance" strong>
          {available}
        </Figure>
      </dl>
    );
  }
  return (
    <dl className="grid grid-cols-2 gap-px overflow-clip rounded-lg border bg-border shadow-raised sm:grid-cols-3">
      <Figure hint="Balance less what is held" label="Available balance" strong>
        {available}
      </Figure>
      <Figure hint="For unconfirmed changes" label="Held">
        <Money currency={currency} minor={held} />
      </Figure>
      <Figure hint="Sum of all entries below" label="Balance">
        <Money currency={currency} minor={posted} />
      </Figure>
    </dl>
  );
}

interface FigureProps {
  readonly label: string;
  readonly hint: string;
  readonly strong?: boolean;
  readonly children: ReactNode;
}

function Figure({ label, hint, strong = false, children }: FigureProps) {
  return (
    <div className={cx("flex flex-col bg-surface px-4 py-3.5", strong && "max-sm:col-span-2")}>
      <dt className="text-sm text-text-muted">{label}</dt>
      <dd className={strong ? "font-semibold text-2xl tracking-tight" : "font-medium text-xl leading-8"}>{children}</dd>
      <dd className="text-text-muted text-xs">{hint}</dd>
    </div>
  );
}
