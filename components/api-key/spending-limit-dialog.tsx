"use client";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { TextField } from "#components/ui/field.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { type Currency, toMajorText } from "#lib/domain/money.ts";
import type { KeyDetails, SpendingLimitInput } from "./api-key.ts";

export interface SpendingLimitDialogProps {
  readonly keyDetails: KeyDetails;
  readonly action: OnceAction<SpendingLimitInput>;
  readonly onClose: () => void;
}

export function SpendingLimitDialog({ keyDetails, action, onClose }: SpendingLimitDialogProps) {
  const { apiKeyId, currency, spendingLimit } = keyDetails;
  return (
    <ConfirmChange
      action={action}
      confirmLabel="Set spending limit"
      description="Charges beyond it are refused until the next month begins (UTC). What the key has spent in this month counts. Keys that it replaced or that replaced it share the limit. Takes effect within a second."
      done="Spending limit set"
      input={{ api_key_id: apiKeyId }}
      onClose={onClose}
      refusalNote="The limit is the same as before."
      title="Set the spending limit"
    >
      <TextField
        data-autofocus
        defaultValue={spendingLimit === null ? "" : toMajorText(spendingLimit, currency as Currency)}
        hint="Leave empty for no limit."
        inputMode="decimal"
        label={`${currency} per month`}
        name="limit"
      />
    </ConfirmChange>
  );
}
