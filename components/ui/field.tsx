import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";

/** Spread onto the control: ties it to its label, hint and error. */
export interface FieldControl {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong and how to put it right. */
  readonly error?: string | null | undefined;
  /** Most fields are required; the few others say so. */
  readonly optional?: boolean;
  readonly children: (control: FieldControl) => ReactNode;
}

/** Label, control, hint and error of one form field. */
export function Field({ name, label, hint, error, optional = false, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error ? errorId : null, hint ? hintId : null].filter(Boolean).join(" ");
  return (
    <div className="flex flex-col gap-1.5">
      <label className="font-medium text-sm" htmlFor={id}>
        {label}
        {optional && <span className="font-normal text-text-muted"> (optional)</span>}
      </label>
      {children({
        id,
        name,
        required: !optional,
        "aria-describedby": describedBy || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {error && (
        <p className="flex items-start gap-1.5 text-critical text-sm" id={errorId}>
          <CircleAlert aria-hidden className="mt-0.75 size-3.5 shrink-0" />
          {error}
        </p>
      )}
      {hint && (
        <p className="text-sm text-text-muted" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}
