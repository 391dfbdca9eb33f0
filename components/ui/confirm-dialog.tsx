"use client";
import { Children, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorState, type ErrorStateProps } from "./error-state.tsx";

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  /** The question, e.g. "Renew lic_12?". */
  readonly title: string;
  /** What will be different afterwards. */
  readonly description?: ReactNode;
  /** The verb, e.g. "Renew": never "OK". */
  readonly confirmLabel: string;
  /** It would come to nothing, as the dialog says. */
  readonly confirmDisabled?: boolean;
  readonly tone?: "default" | "critical";
  /** Lines above the buttons, e.g. price and balance after; the last one stands out. */
  readonly cost?: readonly { readonly label: string; readonly value: ReactNode }[];
  readonly pending?: boolean;
  readonly error?: ErrorStateProps | null;
  readonly children?: ReactNode;
}

/** Asks before something that costs money or cannot be undone; says what it costs right above the button. */
export function ConfirmDialog({
  open,
  onClose,
  onConfirm,
  title,
  description,
  confirmLabel,
  confirmDisabled = false,
  tone = "default",
  cost = [],
  pending = false,
  error = null,
  children,
}: ConfirmDialogProps) {
  const critical = tone === "critical";
  const empty = Children.toArray(children).length === 0 && cost.length === 0 && error === null;
  return (
    <Dialog
      description={description}
      dismissible={!pending}
      footer={
        <>
          <Button data-autofocus={critical || undefined} disabled={pending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            data-autofocus={critical ? undefined : true}
            disabled={confirmDisabled}
            loading={pending}
            onClick={onConfirm}
            variant={critical ? "critical" : "primary"}
          >
            {confirmLabel}
          </Button>
        </>
      }
      onClose={onClose}
      open={open}
      size="sm"
      title={title}
    >
      {!empty && (
        <div className="flex flex-col gap-4">
          {children}
          {cost.length > 0 && (
            <dl className="rounded-md bg-surface-sunken px-3 py-2 text-sm">
              {cost.map(({ label, value }) => (
                <div className="flex justify-between gap-4 py-0.5 last:font-medium" key={label}>
                  <dt className="text-text-muted">{label}</dt>
                  <dd className="tabular">{value}</dd>
                </div>
              ))}
            </dl>
          )}
          {error && <ErrorState {...error} />}
        </div>
      )}
    </Dialog>
  );
}
