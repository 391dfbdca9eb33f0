"use client";
import { Ban, PlugZap } from "lucide-react";
import { useState } from "react";
import type { setDisabled, testConnection } from "#app/(dashboard)/providers/actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { FailureLine } from "#components/form/failure-line.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { DropdownMenu } from "#components/ui/dropdown-menu.tsx";
import { MenuItem } from "#components/ui/menu-item.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { toast } from "#components/ui/toast-store.ts";
import { numberText } from "#lib/domain/count-text.ts";
import { type Currency, parseCurrency, parseMajor } from "#lib/domain/money.ts";
import type { ProviderView } from "./provider.ts";

export interface TestConnectionProps {
  readonly name: string;
  readonly action: typeof testConnection;
}

/** Reads our balance there: address, key and signature are right, and it answers. */
export function TestConnection({ name, action }: TestConnectionProps) {
  const { pending, failure, send } = useSubmission(action, (result) =>
    toast(
      result.works
        ? {
            title: "The connection works",
            description: `It answered in ${result.latencyMs} ms. Our balance there is ${balanceText(result)}.`,
            tone: "positive",
          }
        : { title: "The connection does not work", description: result.message, tone: "critical" },
    ),
  );
  return (
    <>
      {failure && <FailureLine failure={failure} />}
      <Button icon={<PlugZap />} loading={pending} onClick={() => void send({ name })}>
        Test connection
      </Button>
    </>
  );
}

/** As the provider wrote it, where that is no amount of a currency. */
function balanceText({ balance, currency }: { readonly balance: string; readonly currency: string }): string {
  const code: Currency | null = parseCurrency(currency);
  const minor = code && parseMajor(balance, code);
  return minor === null ? `${balance} ${currency}` : moneyText(minor, currency);
}

export interface DisableProviderProps {
  readonly provider: ProviderView;
  readonly action: typeof setDisabled;
}

export function DisableProvider({ provider, action }: DisableProviderProps) {
  const [open, setOpen] = useState(false);
  const { name, state, productCount, openOperations } = provider;
  const disabled = state === "disabled";
  return (
    <>
      {disabled ? (
        <Button onClick={() => setOpen(true)}>Enable</Button>
      ) : (
        <DropdownMenu label="More actions" size="md" variant="secondary">
          <MenuItem icon={<Ban />} onSelect={() => setOpen(true)} tone="critical">
            Disable
          </MenuItem>
        </DropdownMenu>
      )}
      {open && (
        <ConfirmChange
          action={action}
          confirmLabel={disabled ? "Enable" : "Disable"}
          cost={[
            { label: "Products", value: numberText(productCount) },
            { label: "Pending operations", value: numberText(openOperations) },
          ]}
          description={
            disabled
              ? "Licenses of its products can be registered, renewed and changed again, within seconds."
              : "Every purchase and change of its licenses is refused before money is held, within seconds. Outcomes of earlier changes are still requested; licenses keep working."
          }
          done={disabled ? `${name} is enabled` : `${name} is disabled`}
          input={{ name, disabled: !disabled }}
          onClose={() => setOpen(false)}
          title={disabled ? `Enable ${name}?` : `Disable ${name}?`}
          tone={disabled ? "default" : "critical"}
        />
      )}
    </>
  );
}
