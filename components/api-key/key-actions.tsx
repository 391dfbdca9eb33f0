"use client";
import { Ban, Gauge, RotateCcwKey, Wallet } from "lucide-react";
import { useState } from "react";
import type { revoke, rotate, setRateLimit, setSpendingLimit } from "#app/(dashboard)/api-keys/actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { usePermissions } from "#components/shell/permissions.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/field.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { Bound } from "#lib/domain/action-result.ts";
import { type Currency, toMajorText } from "#lib/domain/money.ts";
import { mayGrantScopes } from "#lib/domain/roles.ts";
import type { KeyDetails } from "./api-key.ts";
import { RotateDialog } from "./rotate-dialog.tsx";

export interface KeyActionsProps {
  readonly keyDetails: KeyDetails;
  readonly actions: {
    readonly rotate: Bound<typeof rotate>;
    readonly revoke: Bound<typeof revoke>;
    readonly setSpendingLimit: Bound<typeof setSpendingLimit>;
    /** Null: not this reader's to set. */
    readonly setRateLimit: Bound<typeof setRateLimit> | null;
  };
}

type Question = "rotate" | "revoke" | "limit" | "spending";

/** What can be done with a key that works. */
export function KeyActions({ keyDetails, actions }: KeyActionsProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const dialog = { keyDetails, onClose: () => setQuestion(null) };
  const permissions = usePermissions();
  const manages = permissions.includes("keys:write");
  const works = keyDetails.state === "active" || keyDetails.state === "ending";
  return (
    <>
      {works && (
        <>
          {permissions.includes("wallet:write") && (
            <Button icon={<Wallet />} onClick={() => setQuestion("spending")}>
              Spending limit
            </Button>
          )}
          {actions.setRateLimit && permissions.includes("resellers:write") && (
            <Button icon={<Gauge />} onClick={() => setQuestion("limit")}>
              Rate limit
            </Button>
          )}
          {manages && keyDetails.successorHref === null && mayGrantScopes(permissions, keyDetails.scopes) && (
            <Button icon={<RotateCcwKey />} onClick={() => setQuestion("rotate")}>
              Rotate
            </Button>
          )}
          {manages && (
            <Button icon={<Ban />} onClick={() => setQuestion("revoke")} variant="critical-quiet">
              Revoke
            </Button>
          )}
        </>
      )}
      {question === "rotate" && <RotateDialog {...dialog} action={actions.rotate} />}
      {question === "revoke" && <RevokeDialog {...dialog} action={actions.revoke} />}
      {question === "spending" && <SpendingLimitDialog {...dialog} action={actions.setSpendingLimit} />}
      {question === "limit" && actions.setRateLimit && <RateLimitDialog {...dialog} action={actions.setRateLimit} />}
    </>
  );
}

interface DialogProps<Action> {
  readonly keyDetails: KeyDetails;
  readonly action: Bound<Action>;
  readonly onClose: () => void;
}

function RateLimitDialog({ keyDetails, action, onClose }: DialogProps<typeof setRateLimit>) {
  return (
    <ConfirmChange
      action={action}
      confirmLabel="Set limit"
      description="Takes effect within a second. Requests beyond it are refused until the minute is over."
      done="Limit set"
      input={{ api_key_id: keyDetails.apiKeyId }}
      onClose={onClose}
      refusalNote="The limit is the same as before."
      title={`Rate limit of “${keyDetails.name}”`}
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

function SpendingLimitDialog({ keyDetails, action, onClose }: DialogProps<typeof setSpendingLimit>) {
  const { apiKeyId, currency, spendingLimit } = keyDetails;
  return (
    <ConfirmChange
      action={action}
      confirmLabel="Set spending limit"
      description="Once the key has spent this much in a month (UTC), further charges are refused until the next month. Its spending so far this month counts. Keys linked by rotation share the limit."
      done="Spending limit set"
      input={{ api_key_id: apiKeyId }}
      onClose={onClose}
      refusalNote="The limit is the same as before."
      title={`Spending limit of “${keyDetails.name}”`}
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

function RevokeDialog({ keyDetails, action, onClose }: DialogProps<typeof revoke>) {
  return (
    <ConfirmChange
      action={action}
      confirmLabel="Revoke"
      description="Every request with it is refused from now on. This cannot be undone: if something still needs a key, give it another one first."
      done={() => ({
        title: "Key revoked",
        description: "It is refused everywhere within a second.",
        tone: "positive",
      })}
      input={{ api_key_id: keyDetails.apiKeyId }}
      onClose={onClose}
      refusalNote="The key works as before."
      title={`Revoke “${keyDetails.name}”?`}
      tone="critical"
    >
      <div className="rounded-md bg-surface-sunken px-3 py-2 text-sm">
        <p className="font-mono text-xs">{keyDetails.hint}</p>
        <p className="mt-1 text-text-muted">
          {keyDetails.lastUsedAt === null ? (
            "It has never been used."
          ) : (
            <>
              Last used: <Timestamp format="exact" value={keyDetails.lastUsedAt} />
            </>
          )}
        </p>
      </div>
    </ConfirmChange>
  );
}
