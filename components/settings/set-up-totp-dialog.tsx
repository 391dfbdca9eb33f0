"use client";
import { CodeField } from "#components/auth/code-field.tsx";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { unrepeated } from "#components/form/send-signed-in.ts";
import { CopyText } from "#components/ui/copy-text.tsx";
import { QrCodeImage } from "#components/ui/qr-code.tsx";
import type { FactorActions, TotpSetup } from "./settings.ts";

export interface SetUpTotpDialogProps {
  readonly setup: TotpSetup;
  readonly confirm: FactorActions["confirm"];
  readonly onDone: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

export function SetUpTotpDialog({ setup, confirm, onDone, onClose }: SetUpTotpDialogProps) {
  const confirmOnce = unrepeated(confirm);
  return (
    <ConfirmChange
      action={confirmOnce}
      confirmLabel="Turn on"
      description="Scan the code with an authenticator app, such as your password manager's. You are signed out everywhere else."
      done={({ recoveryCodes }) => onDone(recoveryCodes)}
      input={{ secret: setup.secret }}
      onClose={onClose}
      size="md"
      title="Set up authenticator app"
    >
      <div className="self-center">
        <QrCodeImage code={setup.qrCode} label="QR code of the key" />
      </div>
      <CopyText copyLabel="Copy key" label="Or enter this key" value={setup.secret} />
      <CodeField method="totp" name="code" />
    </ConfirmChange>
  );
}
