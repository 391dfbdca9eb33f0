"use client";
import { useRouter } from "next/navigation";
import { type ClipboardEvent, useState } from "react";
import type { register } from "#app/(dashboard)/licenses/new/actions.ts";
import { ChoiceCards } from "#components/form/choice-cards.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { toast } from "#components/ui/toast-store.ts";
import { useBalanceRefresh } from "#components/wallet/use-balance.ts";
import type { InputOf } from "#lib/domain/action-result.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { MAX_CORES } from "#lib/domain/pricing.ts";
import type { ProductOffer } from "#lib/services/catalog/list-products.ts";
import { CycleChoices, FromPrice } from "./cycle-choices.tsx";
import { RegisterLabels } from "./label-fields.tsx";
import { MeantAddressQuestion } from "./meant-address-question.tsx";
import { RegisterFrame, type RegisterFrameProps } from "./register-frame.tsx";
import { addressesIn, firstCycleId, shortfallOf, termText } from "./registration.ts";
import { RegistrationPending, type Unconfirmed } from "./registration-pending.tsx";

export interface RegisterFormProps
  extends Pick<RegisterFrameProps<InputOf<typeof register>>, "balance" | "readBalance"> {
  readonly products: readonly ProductOffer[];
  readonly action: typeof register;
}

export function RegisterForm({ products, action, ...wallet }: RegisterFormProps) {
  const router = useRouter();
  const refreshBalance = useBalanceRefresh();
  const [productId, setProductId] = useState<string | null>(null);
  const [cycleId, setCycleId] = useState("");
  const [addresses, setAddresses] = useState("");
  const [typedCores, setTypedCores] = useState("1");
  const [unconfirmed, setUnconfirmed] = useState<Unconfirmed | null>(null);
  const productOf = (id: string | null) => products.find((candidate) => String(candidate.productId) === id) ?? null;
  // A choice that is no longer sold is left empty, not replaced by one that the user did not make.
  const product = productOf(productId);
  const cycle = product?.cycles.find((candidate) => String(candidate.cycleId) === cycleId) ?? null;

  const form = useForm(action, (registered) => {
    refreshBalance();
    if ("jobId" in registered) {
      router.push(`/jobs/${registered.jobId}`);
      return true;
    }
    if (registered.pending) {
      setUnconfirmed({ ...registered, productName: product?.name ?? "" });
      return false;
    }
    const left = `Available balance: ${moneyText(registered.balanceAfter, registered.currency)}.`;
    const shortfall = shortfallOf(registered);
    toast(
      shortfall === null
        ? { title: "License registered", description: left, tone: "positive" }
        : { title: shortfall.title, description: `${shortfall.reason} ${left}`, tone: "critical" },
    );
    router.push(`/licenses/${registered.licenseId}`);
    return true;
  });
  const licenses = Math.max(1, addressesIn(addresses).length);
  const metered = cycle?.pricePerCore != null && licenses === 1;
  if (unconfirmed !== null) return <RegistrationPending unconfirmed={unconfirmed} />;
  return (
    <RegisterFrame
      {...wallet}
      amount={{ licenses, cores: metered ? coresOf(typedCores) : 1 }}
      cycle={cycle}
      form={form}
      input={(textOf) => ({
        product_id: product === null ? "" : String(product.productId),
        auto_renew: textOf("auto_renew") !== "",
      })}
      offer={product}
      pendingText={licenses === 1 ? "Registering the license…" : "Starting the registrations…"}
    >
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
          setCycleId(firstCycleId(productOf(value)));
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
      <TextField
        className="sm:max-w-96"
        hint="The server's public IPv4 address. Several, separated by commas, get a license each."
        label="Address"
        mono
        name="ip_address"
        onChange={(event) => setAddresses(event.target.value)}
        onPaste={pasteLines}
      />
      <MeantAddressQuestion about="ip_address" />
      {product !== null && cycle?.pricePerCore != null && (
        <TextField
          className="tabular max-w-28"
          disabled={!metered}
          hint={
            metered
              ? `The price includes one core; each further one costs ${moneyText(cycle.pricePerCore, product.currency)} per ${termText(cycle.months)}.`
              : "Several licenses start with one core each; add further ones after registering."
          }
          inputMode="numeric"
          label="Cores"
          max={MAX_CORES}
          min={1}
          name="cores"
          onChange={(event) => setTypedCores(event.target.value)}
          type="number"
          value={metered ? typedCores : "1"}
        />
      )}
      <Checkbox hint="Charged to the wallet before each term ends." label="Auto-renew" name="auto_renew" />
      <TextareaField label="Notes" name="notes" optional placeholder="Order number, rack, …" />
      <RegisterLabels />
    </RegisterFrame>
  );
}

/** Of what is no number of cores, the price is that of one: the server names the problem. */
function coresOf(typed: string): number {
  const cores = parsePositiveInteger(typed);
  return cores !== null && cores <= MAX_CORES ? cores : 1;
}

/** A field of one line would join pasted lines to one word. */
function pasteLines(event: ClipboardEvent<HTMLInputElement>) {
  const lines = addressesIn(event.clipboardData.getData("text"));
  if (lines.length < 2) return;
  event.preventDefault();
  document.execCommand("insertText", false, lines.join(", "));
}
