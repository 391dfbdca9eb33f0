"use client";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/field.tsx";

export type CodeMethod = "totp" | "recovery";

/** For the second factor. */
export function CodeField({ method, name }: { readonly method: CodeMethod; readonly name: string }) {
  if (method === "recovery") {
    return (
      <TextField
        autoCapitalize="none"
        autoFocus
        data-autofocus
        hint="One of the ten that you saved. Each works once."
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
      hint="The 6 digits that your authenticator app shows for License Desk."
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
    <Button className="self-center" onClick={() => onChange(other)} size="sm" variant="ghost">
      {other === "recovery" ? "Use a recovery code" : "Use the authenticator app"}
    </Button>
  );
}
