"use client";
import { ArrowLeft } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import type { SubmissionFailure } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { ChargeOfMany } from "#components/wallet/charge-of-many.tsx";
import type { WalletBalance } from "#components/wallet/use-balance.ts";
import type { Affordable } from "#lib/domain/affordable.ts";
import { countText, numberText } from "#lib/domain/count-text.ts";
import { affordableRows } from "./import-plan.ts";
import { ImportRows } from "./import-rows.tsx";
import type { ImportPlanView } from "./plan-view.ts";

export interface ImportReviewProps {
  readonly plan: ImportPlanView;
  readonly balance: WalletBalance;
  readonly pending: boolean;
  readonly failure: SubmissionFailure | null;
  readonly onBack: () => void;
  readonly onStart: () => void;
  /** Private addresses are meant. */
  readonly allowPrivateAddresses: boolean;
  readonly onPrivateMeant: (meant: boolean) => void;
}

/** What the import would do, row by row, and the button that does it. */
export function ImportReview(props: ImportReviewProps) {
  const { plan, balance, pending, failure, onBack, onStart, allowPrivateAddresses, onPrivateMeant } = props;
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus(), []);
  const { rows, readyCount, privateCount, currency, ignoredColumns } = plan;
  const affordable = affordableRows(plan, balance);
  const wanted = countText(readyCount, "license", "licenses");
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Card flush>
        <header className="px-4 pt-3.5 pb-2.5">
          <h2 className="font-semibold text-base outline-none" ref={headingRef} tabIndex={-1}>
            {readyCount === rows.length
              ? `${countText(readyCount, "row is", "rows are")} ready`
              : `${numberText(readyCount)} of ${countText(rows.length, "row is", "rows are")} ready`}
          </h2>
          {ignoredColumns.length > 0 && (
            <p className="wrap-anywhere text-sm text-text-muted">Ignored columns: {ignoredColumns.join(", ")}.</p>
          )}
        </header>
        <ImportRows currency={currency} rows={rows} />
      </Card>
      <ImportSummary affordable={affordable} balance={balance} plan={plan}>
        <div className="flex flex-col gap-2.5">
          {failure !== null && <SubmissionError failure={failure} refusalNote="Nothing was registered or charged." />}
          {privateCount > 0 && (
            <Checkbox
              checked={allowPrivateAddresses}
              hint="They cannot be reached from the internet."
              label={`${countText(privateCount, "private address is", "private addresses are")} intended`}
              onChange={(event) => onPrivateMeant(event.target.checked)}
            />
          )}
          {readyCount > 0 && (
            <Button
              className="w-full"
              disabled={affordable.count === 0}
              loading={pending}
              onClick={onStart}
              variant="primary"
            >
              {affordable.count === 0
                ? `Register ${wanted}`
                : `Register ${wanted} for ${affordable.count < readyCount ? "up to " : ""}${moneyText(plan.total, currency)}`}
            </Button>
          )}
          <Button
            className="w-full"
            disabled={pending}
            icon={<ArrowLeft className="size-4" />}
            onClick={onBack}
            variant={readyCount > 0 ? "secondary" : "primary"}
          >
            Change the table
          </Button>
        </div>
      </ImportSummary>
    </div>
  );
}

interface ImportSummaryProps {
  readonly plan: ImportPlanView;
  readonly balance: WalletBalance;
  /** Which rows the balance pays for. */
  readonly affordable: Affordable;
  /** The buttons. */
  readonly children: ReactNode;
}

/** What all of it costs and what is left afterwards, right above the buttons. */
function ImportSummary({ plan, balance, affordable, children }: ImportSummaryProps) {
  const { rows, readyCount, currency } = plan;
  const charge = { cost: plan.total, balance: { spendable: balance.spendable, currency } };
  const skippedCount = rows.length - readyCount;
  return (
    <section aria-label="Summary" className="rounded-lg border bg-surface p-4 shadow-raised lg:sticky lg:top-20">
      <h2 className="font-semibold text-base">Summary</h2>
      {skippedCount > 0 && (
        <p className="mt-1 text-sm text-text-muted">
          {readyCount === 0
            ? "No row can be registered as it is."
            : `${countText(skippedCount, "row has a problem and is", "rows have problems and are")} skipped.`}
        </p>
      )}
      <div className="mt-3 flex flex-col gap-3" role="status">
        {readyCount > 0 && <ChargeOfMany affordable={affordable} charge={charge} count={readyCount} />}
      </div>
      <div className="mt-4">{children}</div>
      {readyCount > 0 && (
        <p className="mt-2.5 text-text-muted text-xs">
          Each row is charged only when the provider confirms it. The import continues if you leave the page, and can be
          stopped.
        </p>
      )}
    </section>
  );
}
