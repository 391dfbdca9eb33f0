"use client";
import { Ban, Gauge, RotateCcwKey, Wallet } from "lucide-react";
import { useState } from "react";
import { usePermissions } from "#components/shell/permissions.tsx";
import { Button } from "#components/ui/button.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { mayGrantScopes } from "#lib/domain/roles.ts";
import type { KeyDetails, KeyRef, KeyRotated, RateLimitInput, RotateInput, SpendingLimitInput } from "./api-key.ts";
import { RateLimitDialog } from "./rate-limit-dialog.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";
import { SpendingLimitDialog } from "./spending-limit-dialog.tsx";

export interface KeyActionsProps {
  readonly keyDetails: KeyDetails;
  readonly actions: {
    readonly rotate: OnceAction<RotateInput, KeyRotated>;
    readonly revoke: OnceAction<KeyRef>;
    readonly setSpendingLimit: OnceAction<SpendingLimitInput>;
    /** Null: not this reader's to set. */
    readonly setRateLimit: OnceAction<RateLimitInput> | null;
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
            <Button icon={<Wallet aria-hidden className="size-3.5" />} onClick={() => setQuestion("spending")}>
              Spending limit
            </Button>
          )}
          {actions.setRateLimit && permissions.includes("resellers:write") && (
            <Button icon={<Gauge aria-hidden className="size-3.5" />} onClick={() => setQuestion("limit")}>
              Rate limit
            </Button>
          )}
          {manages && keyDetails.successorHref === null && mayGrantScopes(permissions, keyDetails.scopes) && (
            <Button icon={<RotateCcwKey aria-hidden className="size-3.5" />} onClick={() => setQuestion("rotate")}>
              Rotate
            </Button>
          )}
          {manages && (
            <Button
              icon={<Ban aria-hidden className="size-3.5" />}
              onClick={() => setQuestion("revoke")}
              variant="critical-quiet"
            >
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
