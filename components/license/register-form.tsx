"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ChoiceCards } from "#components/form/choice-cards.tsx";
import { FormFrame, FormProblems } from "#components/form/form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { useMeant } from "#components/form/use-meant.ts";
import { isAboutCharge } from "#components/form/use-submission.ts";
import { Card } from "#components/ui/card.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { toast } from "#components/ui/toast-store.ts";
import {
  type ReadBalance,
  useBalanceRefresh,
  useLiveBalance,
  type WalletBalance,
} from "#components/wallet/use-balance.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { CycleChoices, FromPrice } from "./cycle-choices.tsx";
import { MeantAddressQuestion } from "./meant-address-question.tsx";
import { RegisterSubmit } from "./register-submit.tsx";
import { RegisterSummary } from "./register-summary.tsx";
import { type ProductChoice, type Registered, type RegisterInput, termText, totalOf } from "./registration.ts";
import { RegistrationPending, type Unconfirmed } from "./registration-pending.tsx";

export interface RegisterFormProps {
  readonly products: readonly ProductChoice[];
  readonly balance: WalletBalance;
  readonly action: OnceAction<RegisterInput, Registered>;
  /** A server action. */
  readonly readBalance: ReadBalance;
}

export function RegisterForm({ products, balance, action, readBalance }: RegisterFormProps) {
  const router = useRouter();
  const balanceNow = useLiveBalance(balance, readBalance);
  const refreshBalance = useBalanceRefresh();
  const [productId, setProductId] = useState<string | null>(null);
  const [cycleId, setCycleId] = useState<string | null>(null);
  const [unconfirmed, setUnconfirmed] = useState<Unconfirmed | null>(null);
  const product = products.find((candidate) => String(candidate.productId) === productId) ?? null;
  const cycle =
    product?.cycles.find((candidate) => String(candidate.cycleId) === cycleId) ?? product?.cycles[0] ?? null;

  const form = useForm(action, (registered) => {
    refreshBalance();
    if (registered.pending) {
      setUnconfirmed({ ...registered, productName: product?.name ?? "" });
      return false;
    }
    toast({
      title: "License registered",
      description: `Available balance: ${moneyText(registered.balanceAfter, registered.currency)}.`,
      tone: "positive",
    });
    router.push(`/licenses/${registered.licenseId}`);
    return true;
  });
  const meantAddress = useMeant(form.failure, "meant_address");
  const charge = cycle === null ? undefined : { cost: totalOf(cycle), balance: balanceNow };
  if (unconfirmed !== null) return <RegistrationPending unconfirmed={unconfirmed} />;
  return (
    <FormFrame
      className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]"
      form={form}
      input={(textOf) => ({
        product_id: product === null ? "" : String(product.productId),
        cycle_id: cycle === null ? "" : String(cycle.cycleId),
        meant_address: meantAddress.answerFor(textOf("ip_address")),
        agreed_price: cycle === null ? "0" : String(totalOf(cycle)),
      })}
      onInput={isAboutCharge(form.refusal) ? form.reset : undefined}
    >
      <Card>
        <div className="flex flex-col gap-5">
          <FormProblems form={form} />
          <ChoiceCards
            choices={products.map((choice) => ({
              value: String(choice.productId),
              label: choice.name,
              detail: [choice.description, choice.coreMetered && "Metered by cores."].filter(Boolean).join(" "),
              trailing: <FromPrice currency={choice.currency} cycle={choice.cycles[0]} />,
            }))}
            columns={2}
            legend="Product"
            name="product_id"
            onChange={(value) => {
              setProductId(value);
              setCycleId(null);
            }}
            value={productId}
          />
          {product !== null && (
            <CycleChoices
              chosenId={cycle?.cycleId ?? null}
              currency={product.currency}
              cycles={product.cycles}
              onChange={setCycleId}
            />
          )}
          {product !== null && cycle !== null && cycle.pricePerCore != null && (
            <p className="-mt-2 text-sm text-text-muted">
              The price includes one core. Each further core costs {moneyText(cycle.pricePerCore, product.currency)} per{" "}
              {termText(cycle.months)}; add them after registering.
            </p>
          )}
          <TextField
            className="sm:max-w-64"
            hint="The public IPv4 address of the server that will run it."
            label="Address"
            mono
            name="ip_address"
            spellCheck={false}
          />
          <MeantAddressQuestion {...meantAddress} />
          <TextareaField label="Notes" name="notes" optional placeholder="Customer, order number, …" rows={2} />
        </div>
      </Card>
      <RegisterSummary
        balance={balanceNow}
        cycle={cycle}
        product={product}
        refused={form.refusal?.code === "insufficient_balance"}
      >
        <RegisterSubmit
          form={form}
          label={charge === undefined ? "Register" : `Register for ${moneyText(charge.cost, balanceNow.currency)}`}
          pendingText="Registering the license…"
        />
      </RegisterSummary>
    </FormFrame>
  );
}
