"use client";
import { ConfirmForm } from "#components/form/confirm-form.tsx";
import { ShownOnce } from "#components/form/shown-once.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Banner } from "#components/ui/banner.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import type { FactorActions } from "./settings.ts";

export interface RecoveryCodesShownOnceProps {
  readonly codes: readonly string[];
  readonly onLeave: () => void;
}

export function RecoveryCodesShownOnce({ codes, onLeave }: RecoveryCodesShownOnceProps) {
  return (
    <ShownOnce
      description="Use one to sign in if you lose your phone. Each works once."
      leaveLabel="I have saved them"
      onLeave={onLeave}
      title="Your recovery codes"
    >
      <div className="flex flex-col gap-3">
        <ul
          aria-label="Recovery codes"
          className="grid gap-y-1 rounded-md bg-surface-sunken px-3 py-2 font-mono text-sm inset-ring inset-ring-border"
        >
          {codes.map((code) => (
            <li className="whitespace-nowrap" key={code}>
              {code}
            </li>
          ))}
        </ul>
        <span className="self-start">
          <CopyButton label="Copy recovery codes" value={codes.join("\n")} variant="primary" />
        </span>
      </div>
      <Banner title="Save them now: they are not shown again" tone="caution">
        Keep them apart from your phone, for example on paper.
      </Banner>
    </ShownOnce>
  );
}

export interface ReplaceCodesDialogProps {
  readonly action: FactorActions["replaceCodes"];
  readonly onDone: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

export function ReplaceCodesDialog({ action, onDone, onClose }: ReplaceCodesDialogProps) {
  const form = useForm(action, ({ recoveryCodes }) => onDone(recoveryCodes));
  return (
    <ConfirmForm
      confirmLabel="Replace"
      description="You get ten new codes. The old ones stop working."
      form={form}
      onClose={onClose}
      refusalNote="The old codes still work."
      title="Replace the recovery codes?"
    />
  );
}
