"use client";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/field.tsx";

export type CodeMethod = "totp" | "recovery";

export interface CodeFieldProps {
  readonly method: CodeMethod;
  readonly name: string;
  /** Why what was entered is not accepted. */
  readonly error?: string | null;
}

/** For the second factor. */
export function CodeField({ method, name, error }: CodeFieldProps) {
  if (method === "recovery") {
    return (
      <TextField
        autoCapitalize="none"
        autoFocus
        data-autofocus
        error={error}
        hint="One of the ten that you saved. Each works once. None left? A License Desk administrator can remove your two-step sign-in."
        label="Recovery code"
        name={name}
        spellCheck={false}
      />
    );
  }
  return (
    <TextField
      autoComplete="one-time-code"
      autoFocus
      data-autofocus
      error={error}
      hint="The 6 digits in your authenticator app."
      inputMode="numeric"
      label="Code"
      name={name}
    />
  );
}

export interface OtherMethodProps {
  /** Null: none of these is shown. */
  readonly method: CodeMethod | null;
  readonly hasTotp: boolean;
  readonly onChange: (method: CodeMethod) => void;
}

export function OtherMethod({ method, hasTotp, onChange }: OtherMethodProps) {
  const other = method === "recovery" ? "totp" : "recovery";
  if (other === "totp" && !hasTotp) return null;
  return (
    <Button className="w-full" onClick={() => onChange(other)} variant="secondary">
      {other === "recovery" ? "Use a recovery code" : "Use the authenticator app"}
    </Button>
  );
}
