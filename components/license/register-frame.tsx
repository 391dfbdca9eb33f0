"use client";
import type { ReactNode } from "react";
import { FormFrame, FormProblems, FormRefusal } from "#components/form/form.tsx";
import type { FormState } from "#components/form/use-form.ts";
import { isAboutCharge } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { type CostLine, CostLines, moneyLine } from "#components/ui/cost-lines.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { shortfallOf, spendableLines } from "#components/wallet/charge.tsx";
import { ChargeOfMany } from "#components/wallet/charge-of-many.tsx";
import { ShortBalance } from "#components/wallet/short-balance.tsx";
import { type ReadBalance, useLiveBalance, type WalletBalance } from "#components/wallet/use-balance.ts";
import type { CycleOffer } from "#lib/services/catalog/list-products.ts";
import {
  type Amount,
  affordableLicenses,
  type CycleInput,
  coresPriceOf,
  ONE,
  termText,
  totalOf,
} from "./registration.ts";

interface SummaryProps {
  /** What is registered; null: nothing is chosen yet. */
  readonly offer: { readonly name: string } | null;
  readonly cycle: CycleOffer | null;
  readonly amount: Amount;
  readonly balance: WalletBalance;
}

export interface RegisterFrameProps<Input extends CycleInput> extends Omit<SummaryProps, "amount"> {
  /** Default: one. */
  readonly amount?: Amount;
  readonly form: FormState<Input>;
  /** A server action. */
  readonly readBalance: ReadBalance;
  /** Sent with the fields, the cycle and the price. */
  readonly input?: (textOf: (name: string) => string) => Partial<Input>;
  /** What is under way, e.g. "Registering the license…". */
  readonly pendingText: string;
  /** The fields. */
  readonly children: ReactNode;
}

/** The form that registers something: its fields, and beside them what it costs, right above the button. */
export function RegisterFrame<Input extends CycleInput>(props: RegisterFrameProps<Input>) {
  const { form, input, offer, cycle, amount = ONE, pendingText, children } = props;
  const balance = useLiveBalance(props.balance, props.readBalance);
  const { pending, refusal } = form;
  const total = cycle === null ? null : totalOf(cycle, amount);
  const affordable = cycle === null ? amount.licenses : affordableLicenses(cycle, amount, balance).count;
  const upTo = affordable > 0 && affordable < amount.licenses ? "up to " : "";
  const isRefusedAsShort = refusal?.code === "insufficient_balance";
  return (
    <FormFrame
      className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]"
      form={form}
      input={(textOf) =>
        ({
          cycle_id: cycle === null ? "" : String(cycle.cycleId),
          agreed_price: String(total ?? 0n),
          ...input?.(textOf),
        }) as Partial<Input>
      }
      onInput={isAboutCharge(refusal) ? form.reset : undefined}
    >
      <Card>
        <div className="flex flex-col gap-5">
          <FormProblems form={form} />
          {children}
        </div>
      </Card>
      <section aria-label="Summary" className="rounded-lg border bg-surface p-4 shadow-raised lg:sticky lg:top-20">
        <Summary amount={amount} balance={balance} cycle={cycle} offer={offer} refused={isRefusedAsShort} />
        <div className="mt-4 flex flex-col gap-3">
          <FormRefusal form={form} ownWallet refusalNote="Nothing was charged." />
          <Button
            className="w-full"
            disabled={amount.licenses > 1 && affordable === 0}
            loading={pending}
            type="submit"
            variant={isRefusedAsShort ? "secondary" : "primary"}
          >
            {total === null ? "Register" : `Register for ${upTo}${moneyText(total, balance.currency)}`}
          </Button>
          <span className="sr-only" role="status">
            {pending && pendingText}
          </span>
        </div>
        <p className="mt-2.5 text-text-muted text-xs">
          The money is held while the provider is asked, and charged only when it confirms.
        </p>
      </section>
    </FormFrame>
  );
}

/** `refused`: for want of money, which is said above the button; then it is not said twice. */
function Summary({ offer, cycle, amount, balance, refused }: SummaryProps & { readonly refused: boolean }) {
  const total = cycle === null ? null : totalOf(cycle, amount);
  const { currency } = balance;
  const short = total === null ? null : shortfallOf({ cost: total, balance });
  return (
    <>
      <h2 className="font-semibold text-base">Summary</h2>
      <p className="mt-1 text-sm text-text-muted">
        {offer === null || cycle === null
          ? "Choose what to register to see what it costs."
          : `${offer.name}, ${cycle.name.toLowerCase()}`}
      </p>
      <div className="mt-3 flex flex-col gap-3" role="status">
        {cycle === null || total === null ? (
          <CostLines lines={[moneyLine("Available balance now", balance.spendable, currency)]} />
        ) : amount.licenses === 1 ? (
          <CostLines
            lines={[
              ...priceLines(cycle, amount, currency),
              moneyLine("Charged now", total, currency, true),
              ...spendableLines({ cost: total, balance }),
            ]}
          />
        ) : (
          <ChargeOfMany
            affordable={affordableLicenses(cycle, amount, balance)}
            charge={{ cost: total, balance }}
            count={amount.licenses}
            lines={[...priceLines(cycle, amount, currency), { label: "Licenses", value: `× ${amount.licenses}` }]}
          />
        )}
        {amount.licenses === 1 && short !== null && !refused && (
          <ShortBalance currency={currency} short={short}>
            Until then this registration is refused.
          </ShortBalance>
        )}
      </div>
    </>
  );
}

/** What the price of one consists of. */
function priceLines(cycle: CycleOffer, { cores }: Amount, currency: string): readonly (CostLine | false)[] {
  return [
    moneyLine(`Price per ${termText(cycle.months)}`, cycle.price, currency),
    cores !== 1 &&
      moneyLine(`${cores - 1} more ${cores === 2 ? "core" : "cores"}`, coresPriceOf(cycle, cores), currency),
    cycle.setupFee !== 0n && moneyLine("Setup fee, once", cycle.setupFee, currency),
  ];
}
