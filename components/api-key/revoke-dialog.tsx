"use client";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { KeyDetails, KeyRef } from "./api-key.ts";

export interface RevokeDialogProps {
  readonly keyDetails: KeyDetails;
  readonly action: OnceAction<KeyRef>;
  readonly onClose: () => void;
}

export function RevokeDialog({ keyDetails, action, onClose }: RevokeDialogProps) {
  const { pending, failure, send } = useSubmission(action, () => {
    onClose();
    toast({ title: "Key revoked", description: "It is refused everywhere within 5 seconds.", tone: "positive" });
  });
  return (
    <ConfirmDialog
      confirmLabel="Revoke"
      description="Every request with it is refused from now on. This cannot be undone: if something still needs a key, give it another one first."
      onClose={onClose}
      onConfirm={() => void send({ api_key_id: keyDetails.apiKeyId })}
      open
      pending={pending}
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
      {failure && <SubmissionError failure={failure} refusalNote="The key works as before." />}
    </ConfirmDialog>
  );
}
