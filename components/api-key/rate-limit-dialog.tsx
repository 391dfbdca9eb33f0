"use client";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { TextField } from "#components/ui/field.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { KeyDetails, RateLimitInput } from "./api-key.ts";

export interface RateLimitDialogProps {
  readonly keyDetails: KeyDetails;
  readonly action: OnceAction<RateLimitInput>;
  readonly onClose: () => void;
}

export function RateLimitDialog({ keyDetails, action, onClose }: RateLimitDialogProps) {
  return (
    <ConfirmChange
      action={action}
      confirmLabel="Set limit"
      description="Takes effect within a second. Requests beyond it are refused until the minute is over."
      done="Limit set"
      input={{ api_key_id: keyDetails.apiKeyId }}
      onClose={onClose}
      refusalNote="The limit is the same as before."
      title="Set the rate limit"
    >
      <TextField
        data-autofocus
        defaultValue={keyDetails.rateLimitPerMinute}
        inputMode="numeric"
        label="Requests per minute"
        name="rate_limit"
      />
    </ConfirmChange>
  );
}
