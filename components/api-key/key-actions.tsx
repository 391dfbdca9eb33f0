"use client";
import { Ban, Gauge, RotateCcwKey } from "lucide-react";
import { useState } from "react";
import { usePermissions } from "#components/shell/permissions.tsx";
import { Button } from "#components/ui/button.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { mayGrantScopes } from "#lib/domain/roles.ts";
import type { KeyDetails, KeyRef, KeyRotated, RateLimitInput, RotateInput } from "./api-key.ts";
import { RateLimitDialog } from "./rate-limit-dialog.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";

export interface KeyActionsProps {
  readonly keyDetails: KeyDetails;
  readonly actions: {
    readonly rotate: OnceAction<RotateInput, KeyRotated>;
    readonly revoke: OnceAction<KeyRef>;
    /** Null: not this reader's to set. */
    readonly setRateLimit: OnceAction<RateLimitInput> | null;
  };
}

type Question = "rotate" | "revoke" | "limit";

/** What can be done with a key that works. */
export function KeyActions({ keyDetails, actions }: KeyActionsProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const dialog = { keyDetails, onClose: () => setQuestion(null) };
  const grantable = mayGrantScopes(usePermissions(), keyDetails.scopes);
  const works = keyDetails.state === "active" || keyDetails.state === "ending";
  return (
    <>
      {works && (
        <>
          {actions.setRateLimit && (
            <Button icon={<Gauge aria-hidden className="size-3.5" />} onClick={() => setQuestion("limit")}>
              Set limit
            </Button>
          )}
          <Button
            icon={<Ban aria-hidden className="size-3.5" />}
            onClick={() => setQuestion("revoke")}
            variant="critical-quiet"
          >
            Revoke
          </Button>
          {keyDetails.successorHref === null && grantable && (
            <Button
              icon={<RotateCcwKey aria-hidden className="size-3.5" />}
              onClick={() => setQuestion("rotate")}
              variant="primary"
            >
              Rotate
            </Button>
          )}
        </>
      )}
      {question === "rotate" && <RotateDialog {...dialog} action={actions.rotate} />}
      {question === "revoke" && <RevokeDialog {...dialog} action={actions.revoke} />}
      {question === "limit" && actions.setRateLimit && <RateLimitDialog {...dialog} action={actions.setRateLimit} />}
    </>
  );
}
