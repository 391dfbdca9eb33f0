"use client";
import { useState } from "react";
import type { setThreshold } from "#app/(dashboard)/wallet/actions.ts";
import { Form } from "#components/form/form.tsx";
import { SettingLine } from "#components/form/setting-line.tsx";
import { useForm } from "#components/form/use-form.ts";
import { usePermission } from "#components/shell/permissions.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/field.tsx";
import { majorMoneyText, moneyText } from "#components/ui/money-text.ts";
import { TextLink } from "#components/ui/text-link.tsx";
import { toast } from "#components/ui/toast-store.ts";

export interface LowBalanceSettingProps {
  readonly currency: string;
  /** Decimal text in major units; null: never told. */
  readonly threshold: string | null;
  /** Without one, nobody is told. */
  readonly hasEndpoint: boolean;
  readonly action: typeof setThreshold;
}

/** Below which balance the reseller is told. */
export function LowBalanceSetting({ currency, threshold, hasEndpoint, action }: LowBalanceSettingProps) {
  const [text, setText] = useState(threshold ?? "");
  const [known, setKnown] = useState(threshold);
  if (threshold !== known) {
    setKnown(threshold);
    setText(threshold ?? "");
  }
  const form = useForm(action, (saved) => {
    toast({
      title:
        saved.threshold === null
          ? "Warning turned off"
          : `You will be notified below ${moneyText(saved.threshold, currency)}`,
      tone: "positive",
    });
  });
  return (
    <SettingLine
      name="Low balance warning"
      value={threshold === null ? "None" : `Below ${majorMoneyText(threshold, currency)}`}
    >
      {usePermission("wallet:write") && (
        <Form
          buttons={
            threshold !== null && (
              <Button disabled={form.pending} onClick={() => void form.send({ threshold: null })} variant="ghost">
                No warning
              </Button>
            )
          }
          className="flex flex-col gap-3"
          form={form}
          submitLabel="Save"
        >
          <TextField
            className="tabular"
            hint={
              <>
                When your available balance drops below this, your webhook endpoints get{" "}
                <code className="font-mono text-xs">wallet.low_balance</code>, once.
                {!hasEndpoint && (
                  <>
                    {" "}
                    You have no endpoint yet: <TextLink href="/webhooks">add one under Webhooks</TextLink>.
                  </>
                )}
              </>
            }
            inputMode="decimal"
            label={`Threshold in ${currency}`}
            name="threshold"
            onChange={({ target }) => setText(target.value)}
            placeholder="No warning"
            value={text}
          />
        </Form>
      )}
    </SettingLine>
  );
}
