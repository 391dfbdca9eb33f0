"use client";
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect } from "react";
import { usePermission } from "#components/shell/permissions.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorSummary, focusControl } from "#components/ui/error-summary.tsx";
import { FieldProblems } from "#components/ui/field-problems.ts";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { Permission } from "#lib/domain/roles.ts";
import { SubmissionError, type SubmissionErrorProps } from "./submission-error.tsx";
import { AskingForm, type FormState, useForm } from "./use-form.ts";

export interface FormFrameProps<Input> {
  readonly form: FormState<Input>;
  /** Sent with the texts of the controls, or instead of those of the same name. */
  readonly input?: Partial<Input> | ((textOf: (name: string) => string) => Partial<Input>);
  readonly id?: string;
  readonly className?: string;
  readonly onInput?: (() => void) | undefined;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children: ReactNode;
}

/**
 * The `<form>`: sends its controls by name, and gives each field its problem. A control whose name begins with `_`, such as
 * one that React made, steers the form and is not sent: an action refuses what it does not know.
 */
export function FormFrame<Input>({ form, input, onInput, children, ...rest }: FormFrameProps<Input>) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const given = typeof input === "function" ? input((name) => String(data.get(name) ?? "")) : input;
    const sent = [...data].filter(([name]) => !name.startsWith("_"));
    void form.send({ ...Object.fromEntries(sent), ...given } as Input);
  }
  const { ref, problems, hasSummary } = form;
  useEffect(() => {
    const [only] = problems;
    if (only && !hasSummary && !only.isQuestion) focusControl(ref.current, only.field);
  }, [ref, problems, hasSummary]);
  return (
    <FieldProblems value={form.problems}>
      {/* Before the script has loaded, submitting does nothing: outside of a dialog this method is inert. */}
      <form
        {...rest}
        method="dialog"
        noValidate
        onInput={({ target }) => {
          form.noteInput(target as Node);
          onInput?.();
        }}
        onSubmit={submit}
        ref={form.ref}
      >
        <AskingForm value={form}>{children}</AskingForm>
      </form>
    </FieldProblems>
  );
}

/** The problems of a form of several fields together, without its questions; its first element. */
export function FormProblems({ form }: { readonly form: Pick<FormState<never>, "hasSummary" | "problems"> }) {
  return form.hasSummary && <ErrorSummary problems={form.problems.filter(({ isQuestion }) => !isQuestion)} />;
}

export interface FormRefusalProps extends Pick<SubmissionErrorProps, "refusalNote" | "ownWallet"> {
  readonly form: Pick<FormState<never>, "failure" | "refusal" | "problems" | "serverChanges">;
}

/** The server's reason for a rejection, and what did not happen. Fields can replace the reason, not the latter. */
export function FormRefusal({ form: { failure, refusal, problems, serverChanges }, ...rest }: FormRefusalProps) {
  if (refusal) return <SubmissionError {...rest} failure={refusal} serverChanges={serverChanges} />;
  // Invalid fields were not submitted, so there is nothing to deny.
  if (problems.length === 0 || failure?.code === "parameters_invalid" || !rest.refusalNote) return null;
  return <p className="text-sm text-text-muted">{rest.refusalNote}</p>;
}

export interface FormProps<Input> extends FormFrameProps<Input> {
  readonly submitLabel: string;
  /** For a form that is the page's purpose. */
  readonly primary?: boolean;
  /** The button is as wide as the form. */
  readonly wide?: boolean;
  /** What did not happen when the server refused. */
  readonly refusalNote?: string;
  /** Above the button that submits. */
  readonly note?: string;
  /** Beside it. */
  readonly buttons?: ReactNode;
}

/** Fields, one below the other, with what the server refused and the button that submits. */
export function Form<Input>(props: FormProps<Input>) {
  const { submitLabel, primary, wide, refusalNote = "Nothing was changed.", note, buttons, children, ...frame } = props;
  return (
    <FormFrame className="flex flex-col gap-4" {...frame}>
      <FormProblems form={frame.form} />
      {children}
      <FormRefusal form={frame.form} refusalNote={refusalNote} />
      {note && <p className="-mb-2.5 text-sm text-text-muted">{note}</p>}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          className={wide ? "w-full" : undefined}
          loading={frame.form.pending}
          type="submit"
          variant={primary ? "primary" : "secondary"}
        >
          {submitLabel}
        </Button>
        {buttons}
      </div>
    </FormFrame>
  );
}

export interface SettingsFormProps<Input>
  extends Partial<Pick<FormProps<Input>, "id" | "className" | "input" | "primary" | "refusalNote" | "submitLabel">>,
    Pick<FormProps<Input>, "children"> {
  readonly action: OnceAction<Input>;
  /** What the toast says afterwards. */
  readonly done: string;
  /** What is stored now, where other users change it, too. */
  readonly stored?: Readonly<Record<string, string>>;
  /** Others see the fields and cannot change them. */
  readonly to?: Permission;
}

/** Changes what its fields show. */
export function SettingsForm<Input>(props: SettingsFormProps<Input>) {
  const { action, done, stored, to, submitLabel = "Save", ...rest } = props;
  const form = useForm(action, () => toast({ title: done, tone: "positive" }), stored);
  if (!usePermission(to)) {
    return (
      <fieldset className={rest.className ?? "flex flex-col gap-4"} disabled id={rest.id}>
        {rest.children}
      </fieldset>
    );
  }
  return <Form {...rest} form={form} submitLabel={submitLabel} />;
}
