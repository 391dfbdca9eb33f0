"use client";
import { useState } from "react";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { Button } from "#components/ui/button.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

export function EndOthers({ action }: { readonly action: OnceAction<Record<never, never>> }) {
  const [asked, setAsked] = useState(false);
  const close = () => setAsked(false);
  return (
    <>
      <Button onClick={() => setAsked(true)} size="sm">
        Sign out everywhere else
      </Button>
      {asked && (
        <ConfirmChange
          action={action}
          confirmLabel="Sign out"
          description="Every other browser has to sign in again."
          done="Signed out everywhere else"
          onClose={close}
          refusalNote="The other sessions continue."
          title="Sign out everywhere else?"
        />
      )}
    </>
  );
}
