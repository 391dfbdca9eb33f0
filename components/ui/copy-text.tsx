import { CodeText } from "./code-text.tsx";
import { CopyButton } from "./copy-button.tsx";
import { cx } from "./cx.ts";

export interface CopyTextProps {
  readonly label: string;
  readonly copyLabel: string;
  readonly value: string;
  /** Copying is what the dialog or page is for: a secret that is shown once. */
  readonly primary?: boolean;
  /** For prose and long commands; a key scrolls, unless the screen is too narrow for that. */
  readonly wrap?: boolean;
}

/** Text made to be copied, with the button that does it. */
export function CopyText({ label, copyLabel, value, primary = false, wrap = false }: CopyTextProps) {
  return (
    <div>
      <p className="mb-1.5 font-medium text-sm">{label}</p>
      <div className="flex items-start gap-2 rounded-md max-sm:flex-col max-sm:items-stretch bg-surface-sunken p-1.5 inset-ring inset-ring-border">
        <CodeText
          className={cx(
            "min-w-0 flex-1 px-2 py-1",
            wrap ? "wrap-anywhere whitespace-pre-wrap" : "max-sm:wrap-anywhere max-sm:whitespace-pre-wrap",
          )}
        >
          {value}
        </CodeText>
        <CopyButton label={copyLabel} value={value} variant={primary ? "primary" : "secondary"} />
      </div>
    </div>
  );
}
