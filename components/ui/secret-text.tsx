import { CopyButton } from "./copy-button.tsx";

export interface SecretTextProps {
  readonly label: string;
  readonly copyLabel: string;
  readonly value: string;
}

/** A secret while it can be seen, ready to be copied. */
export function SecretText({ label, copyLabel, value }: SecretTextProps) {
  return (
    <div>
      <p className="mb-1.5 font-medium text-sm">{label}</p>
      <div className="flex items-center gap-2 rounded-md bg-surface-sunken py-1.5 pr-1.5 pl-3 inset-ring inset-ring-border">
        <code className="wrap-anywhere min-w-0 flex-1 font-mono text-sm">{value}</code>
        <CopyButton label={copyLabel} value={value} />
      </div>
    </div>
  );
}
