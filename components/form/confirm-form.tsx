"use client";
import { type ReactNode, useId, useState } from "react";
import { useViewedReseller } from "#components/shell/viewed-reseller.tsx";
import { Button } from "#components/ui/button.tsx";
import { type CostLine, CostLines } from "#components/ui/cost-lines.tsx";
import { Dialog, type DialogProps } from "#components/ui/dialog.tsx";
import { type ToastInput, toast } from "#components/ui/toast-store.ts";
import { useRefresh } from "#components/ui/use-refresh.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { FormFrame, type FormFrameProps, FormProblems, FormRefusal } from "./form.tsx";
import { useForm } from "./use-form.ts";

export interface ConfirmFormProps<Input>
  extends Pick<DialogProps, "title" | "description" | "size" | "onClose">,
    Pick<FormFrameProps<Input>, "form" | "input"> {
  /** The verb, e.g. "Renew": never "OK". Null: a button among the children confirms. */
  readonly confirmLabel: string | null;
  /** Confirming would have no effect, as the dialog says. */
  readonly confirmDisabled?: boolean;
  readonly tone?: "default" | "critical";
  /** Lines above the buttons, e.g. price and balance after; the last one stands out, too. */
  readonly cost?: readonly (CostLine | false)[];
  /** What did not happen when the server refused. */
  readonly refusalNote?: string;
  /** The reader's own wallet is to be charged. */
  readonly ownWallet?: true;
  readonly children?: ReactNode;
}

/** Asks before a change, with the fields that it needs; shows the cost, and below it why it was refused. */
export function ConfirmForm<Input>(props: ConfirmFormProps<Input>) {
  const { form, input, confirmLabel, confirmDisabled = false, tone = "default", children } = props;
  const { title, description, size = "sm", refusalNote = "Nothing was changed.", ownWallet } = props;
  const { pending, refusal } = form;
  const viewed = useViewedReseller();
  const cost = props.cost?.filter((line) => line !== false) ?? [];
  const critical = tone === "critical";
  // Topping up is then what to do.
  const asksForMoney = ownWallet && refusal?.code === "insufficient_balance";
  const formId = useId();
  const refresh = useRefresh();
  function close() {
    // The answer may have been lost, or another user may have been faster: the page is out of date. Without signing in,
    // nothing was done, and another page would come.
    const code = form.failure?.code;
    if (code && !["signed_out", "other_owner", "proof_required"].includes(code)) refresh();
    props.onClose();
  }
  return (
    <Dialog
      description={description}
      dismissible={!pending}
      footer={
        <>
          <Button disabled={pending} onClick={close}>
            Cancel
          </Button>
          {confirmLabel !== null && (
            <Button
              data-autofocus
              disabled={confirmDisabled}
              form={formId}
              loading={pending}
              type="submit"
              variant={critical ? "critical" : asksForMoney ? "secondary" : "primary"}
            >
              {confirmLabel}
            </Button>
          )}
        </>
      }
      onClose={close}
      size={size}
      title={title}
    >
      <FormFrame className="flex flex-col gap-4" form={form} id={formId} input={input}>
        <FormProblems form={form} />
        {viewed && (
          <p className="wrap-anywhere text-sm">
            This affects <span className="font-medium">{viewed.name}</span> and is logged under your name.
          </p>
        )}
        {children}
        {cost.length > 0 && (
          <CostLines lines={cost.map((line, at) => ({ ...line, strong: line.strong || at === cost.length - 1 }))} />
        )}
        <FormRefusal form={form} refusalNote={refusalNote} {...(ownWallet ? { ownWallet } : {})} />
      </FormFrame>
    </Dialog>
  );
}

interface ConfirmActionProps<Input, Value> extends Omit<ConfirmFormProps<Input>, "form"> {
  readonly action: OnceAction<Input, Value>;
}

export interface ConfirmChangeProps<Input, Value> extends ConfirmActionProps<Input, Value> {
  /** The toast afterwards, or what else is done. */
  // biome-ignore lint/suspicious/noConfusingVoidType: some show a toast of their own
  readonly done: string | ((value: Value) => ToastInput | void);
  /** What is stored now, field name → text, where other users change it, too. */
  readonly stored?: Readonly<Record<string, string>>;
}

/** The usual case: closes when it is done, and says so. */
export function ConfirmChange<Input, Value>({ action, done, stored, ...dialog }: ConfirmChangeProps<Input, Value>) {
  const form = useForm(
    action,
    (value) => {
      dialog.onClose();
      const message = typeof done === "string" ? ({ title: done, tone: "positive" } as const) : done(value);
      if (message) toast(message);
    },
    stored,
  );
  return <ConfirmForm {...dialog} form={form} />;
}

export interface ConfirmRevealProps<Input, Value> extends ConfirmActionProps<Input, Value> {
  /** A ShownOnce. */
  readonly reveal: (value: Value) => ReactNode;
}

/** Where the answer is a secret: it is shown in place of the question. */
export function ConfirmReveal<Input, Value>({ action, reveal, ...dialog }: ConfirmRevealProps<Input, Value>) {
  const [value, setValue] = useState<Value | null>(null);
  const form = useForm(action, setValue);
  return value === null ? <ConfirmForm {...dialog} form={form} /> : reveal(value);
}
