"use client";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { KeyDetails, KeyRef } from "./api-key.ts";

export interface RevokeDialogProps {
  readonly keyDetails: KeyDetails;
  readonly action: OnceAction<KeyRef>;
  readonly onClose: () => void;
}

export function RevokeDialog({ keyDetails, action, onClose }: RevokeDialogProps) {
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
