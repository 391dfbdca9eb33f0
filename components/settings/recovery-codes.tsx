"use client";
import { ShownOnce } from "#components/form/shown-once.tsx";
import { Banner } from "#components/ui/banner.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";

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
