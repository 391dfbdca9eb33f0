"use client";
import { CircleAlert, Eye, EyeOff } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { cx } from "./cx.ts";
import { useFieldProblem } from "./field-problems.ts";
import { IconButton } from "./icon-button.tsx";
import { Input, type InputProps } from "./input.tsx";
import { Select, type SelectProps } from "./select.tsx";
import { Textarea, type TextareaProps } from "./textarea.tsx";

/** Spread onto the control: ties it to its label, hint and error. */
interface FieldControl {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

interface FieldTexts {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  /** Overrides the problem that the form has with this field. */
  readonly error?: string | null | undefined;
  /** Most fields are required; the few others say so. */
  readonly optional?: boolean | undefined;
  /** For screen readers alone: what stands beside the field names it. */
  readonly labelHidden?: boolean | undefined;
}

interface FieldProps extends FieldTexts {
  readonly children: (control: FieldControl) => ReactNode;
}

/** Label, control, hint and error of one form field. */
function Field({ name, label, labelHidden, hint, error: given, optional = false, children }: FieldProps) {
  const id = useId();
  const problem = useFieldProblem(name);
  const error = given ?? problem;
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error ? errorId : null, hint ? hintId : null].filter(Boolean).join(" ");
  return (
    <div className="flex flex-col gap-1.5" data-field={name} data-label={label}>
      <label className={labelHidden ? "sr-only" : "font-medium text-sm"} htmlFor={id}>
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
      <FieldError id={errorId}>{error}</FieldError>
      {hint && (
        <p className="text-sm text-text-muted" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface FieldErrorProps {
  /** For the control's `aria-describedby`. */
  readonly id: string;
  readonly className?: string;
  readonly children: string | null | undefined;
}

export function FieldError({ id, className, children }: FieldErrorProps) {
  if (!children) return null;
  return (
    <p className={cx("flex items-start gap-1.5 text-critical text-sm", className)} id={id}>
      <CircleAlert className="mt-0.75 size-3.5 shrink-0" />
      {children}
    </p>
  );
}

/** The texts of a field apart from what its control gets. */
function split<Props extends FieldTexts>({ name, label, labelHidden, hint, error, optional, ...control }: Props) {
  return { texts: { name, label, labelHidden, hint, error, optional }, control };
}

export function TextField(props: FieldTexts & InputProps) {
  const { texts, control } = split(props);
  return (
    <Field {...texts}>
      {(field) => {
        const input = { autoComplete: "off", ...field, ...control };
        return control.type === "password" ? <SecretInput {...input} label={texts.label} /> : <Input {...input} />;
      }}
    </Field>
  );
}

export function TextareaField(props: FieldTexts & TextareaProps) {
  const { texts, control } = split(props);
  return <Field {...texts}>{(field) => <Textarea {...field} {...control} />}</Field>;
}

export function SelectField(props: FieldTexts & SelectProps) {
  const { texts, control } = split(props);
  return <Field {...texts}>{(field) => <Select {...field} {...control} />}</Field>;
}

/** For passwords and other secrets: hidden until its button shows what is typed. */
function SecretInput({ label, type, ...input }: InputProps & { readonly label: string }) {
  const [shown, setShown] = useState(false);
  const noun = label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  const Icon = shown ? EyeOff : Eye;
  return (
    <Input
      {...input}
      button={
        <IconButton
          icon={<Icon className="size-4" />}
          label={`${shown ? "Hide" : "Show"} ${noun}`}
          onClick={() => setShown(!shown)}
        />
      }
      type={shown ? "text" : type}
    />
  );
}
