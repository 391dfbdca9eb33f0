"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { register } from "#app/(dashboard)/bundles/new/actions.ts";
import { ChoiceCards } from "#components/form/choice-cards.tsx";
import { useForm } from "#components/form/use-form.ts";
import { CycleChoices, FromPrice } from "#components/license/cycle-choices.tsx";
import { MeantAddressQuestion } from "#components/license/meant-address-question.tsx";
import { RegisterFrame, type RegisterFrameProps } from "#components/license/register-frame.tsx";
import { firstCycleId } from "#components/license/registration.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { TextField } from "#components/ui/field.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { toast } from "#components/ui/toast-store.ts";
import { useBalanceRefresh } from "#components/wallet/use-balance.ts";
import type { InputOf } from "#lib/domain/action-result.ts";
import type { BundleChoice } from "./bundle-details.ts";

export interface RegisterBundleFormProps
  extends Pick<RegisterFrameProps<InputOf<typeof register>>, "balance" | "readBalance"> {
  /** At least one. */
  readonly bundles: readonly BundleChoice[];
  /** The one to begin with; null: the first. */
  readonly chosenId: number | null;
  readonly action: typeof register;
}

export function RegisterBundleForm({ bundles, chosenId, action, ...wallet }: RegisterBundleFormProps) {
  const router = useRouter();
  const refreshBalance = useBalanceRefresh();
  const bundleOf = (id: string) => bundles.find((candidate) => String(candidate.bundleId) === id) ?? null;
  const [bundleId, setBundleId] = useState(String(chosenId ?? bundles[0]?.bundleId));
  const [cycleId, setCycleId] = useState(firstCycleId(bundleOf(bundleId)));
  // A choice that is no longer sold is left empty, not replaced by one that the user did not make.
  const bundle = bundleOf(bundleId);
  const cycle = bundle?.cycles.find((candidate) => String(candidate.cycleId) === cycleId) ?? null;

  const form = useForm(action, (registered) => {
    refreshBalance();
    const left = moneyText(registered.balanceAfter, registered.currency);
    toast(
      registered.pending
        ? { title: "Not confirmed yet", description: `The price stays held. Available balance: ${left}.` }
        : { title: "Bundle registered", description: `Available balance: ${left}.`, tone: "positive" },
    );
    router.push(`/bundles/${registered.bundleInstanceId}`);
    return true;
  });
  const metered = bundle?.products.filter(({ coreMetered }) => coreMetered) ?? [];

  return (
    <RegisterFrame
      {...wallet}
      cycle={cycle}
      form={form}
      input={(textOf) => ({
        bundle_id: bundle === null ? "" : bundleId,
        auto_renew: textOf("auto_renew") !== "",
      })}
      offer={bundle}
      pendingText="Registering the bundle…"
    >
      <ChoiceCards
        choices={bundles.map((choice) => ({
          value: String(choice.bundleId),
          label: choice.name,
          detail: choice.products.map(({ name }) => name).join(", "),
          trailing: <FromPrice currency={choice.currency} cycle={choice.cycles[0]} />,
        }))}
        legend="Bundle"
        name="bundle_id"
        onChange={(value) => {
          setBundleId(value);
          setCycleId(firstCycleId(bundleOf(value)));
        }}
        value={bundleId}
      />
      {bundle !== null && (
        <CycleChoices
          chosenId={cycle?.cycleId ?? null}
          currency={bundle.currency}
          cycles={bundle.cycles}
          onChange={setCycleId}
        />
      )}
      {metered.length > 0 && (
        <p className="-mt-2 text-sm text-text-muted">
          The price includes one core of {metered.map(({ name }) => name).join(" and ")}; add further ones after
          registering.
        </p>
      )}
      <TextField
        className="sm:max-w-64"
        hint="The public IPv4 address of the server that will run the bundle."
        label="Address"
        mono
        name="ip_address"
      />
      <MeantAddressQuestion about="ip_address" />
      <Checkbox hint="Charged to the wallet before each term ends." label="Auto-renew" name="auto_renew" />
    </RegisterFrame>
  );
}
