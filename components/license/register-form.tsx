"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { ChoiceCards } from "#components/form/choice-cards.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { isAboutCharge, useSubmission } from "#components/form/use-submission.ts";
import { Card } from "#components/ui/card.tsx";
import { ErrorSummary } from "#components/ui/error-summary.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { Textarea } from "#components/ui/textarea.tsx";
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
import { useMeantAddress } from "./use-meant-address.ts";

export interface RegisterFormProps {
  readonly products: readonly ProductChoice[];
  readonly balance: WalletBalance;
  readonly action: OnceAction<RegisterInput, Registered>;
  /** A server action. */
  readonly readBalance: ReadBalance;
}

/** The cycle is chosen with its product, and cannot be wrong by itself. */
const labels = { product_id: "Product", ip_address: "Address", meant_address: "Private address", notes: "Notes" };

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

  const { pending, failure, send, reset } = useSubmission(action, (registered) => {
    refreshBalance();
    if (registered.pending) {
      setUnconfirmed({ ...registered, productName: product?.name ?? "" });
      return false;
    }
    toast({
      title: "License registered",
      description: `You can spend ${moneyText(registered.balanceAfter, registered.currency)}.`,
      tone: "positive",
    });
    router.push(`/licenses/${registered.licenseId}`);
    return true;
  });
  const { problems, refusal } = useFieldProblems(failure, labels);
  const meantAddress = useMeantAddress(failure);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const address = String(form.get("ip_address"));
    void send({
      product_id: product === null ? "" : String(product.productId),
      cycle_id: cycle === null ? "" : String(cycle.cycleId),
      ip_address: address,
      meant_address: meantAddress.answerFor(address),
      notes: String(form.get("notes")),
      agreed_price: cycle === null ? "0" : String(totalOf(cycle)),
    });
  }

  const charge = cycle === null ? undefined : { cost: totalOf(cycle), balance: balanceNow };
  if (unconfirmed !== null) return <RegistrationPending unconfirmed={unconfirmed} />;
  return (
    <form
      className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]"
      noValidate
      onInput={isAboutCharge(refusal) ? reset : undefined}
      onSubmit={submit}
    >
      <Card>
        <div className="flex flex-col gap-5">
          <ErrorSummary problems={problems} />
          <ChoiceCards
            choices={products.map((choice) => ({
              value: String(choice.productId),
              label: choice.name,
              detail: [choice.description, choice.coreMetered && "Metered by cores."].filter(Boolean).join(" "),
              trailing: <FromPrice currency={choice.currency} cycle={choice.cycles[0]} />,
            }))}
            columns={2}
            error={problemOf(problems, "product_id")}
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
          {product !== null && cycle !== null && cycle.pricePerCore !== null && (
            <p className="-mt-2 text-sm text-text-muted">
              The price includes one core. Each further core costs {moneyText(cycle.pricePerCore, product.currency)} per{" "}
              {termText(cycle.months)}; add them after registering.
            </p>
          )}
          <Field
            error={problemOf(problems, "ip_address")}
            hint="The public IPv4 address of the server that will run it."
            label="Address"
            name="ip_address"
          >
            {(control) => <Input {...control} autoComplete="off" className="sm:max-w-64" mono spellCheck={false} />}
          </Field>
          <MeantAddressQuestion {...meantAddress} />
          <Field error={problemOf(problems, "notes")} label="Notes" name="notes" optional>
            {(control) => <Textarea {...control} placeholder="Customer, order number, …" rows={2} />}
          </Field>
        </div>
      </Card>
      <RegisterSummary
        balance={balanceNow}
        cycle={cycle}
        product={product}
        refused={refusal?.code === "insufficient_balance"}
      >
        <RegisterSubmit
          failure={refusal}
          label={charge === undefined ? "Register" : `Register for ${moneyText(charge.cost, balanceNow.currency)}`}
          pending={pending}
          pendingText="Registering the license…"
        />
      </RegisterSummary>
    </form>
  );
}
