"use client";
import type { changePassword } from "#app/(dashboard)/settings/actions.ts";
import { Form } from "#components/form/form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { TextField } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { PASSWORD_MIN_LENGTH } from "#lib/domain/password.ts";

export interface PasswordFormProps {
  readonly action: typeof changePassword;
  /** The current one was made for them, and given at sign-in for the last time. */
  readonly oneTime?: boolean;
}

export function PasswordForm({ action, oneTime = false }: PasswordFormProps) {
  const form = useForm(action, (_, element) => {
    if (oneTime) {
      // A page load: nothing of before stays in memory.
      window.location.assign("/");
      return true;
    }
    element?.reset();
    toast({ title: "Password changed", description: "You are signed out everywhere else.", tone: "positive" });
  });
  return (
    <Form
      className="flex max-w-sm flex-col gap-4"
      form={form}
      primary={oneTime}
      refusalNote="Your password is the same as before."
      submitLabel={oneTime ? "Set password and continue" : "Change password"}
      wide={oneTime}
    >
      {!oneTime && (
        <TextField autoComplete="current-password" label="Current password" name="current_password" type="password" />
      )}
      <TextField
        autoFocus={oneTime}
        autoComplete="new-password"
        hint={`At least ${PASSWORD_MIN_LENGTH} characters, and hard to guess: a few unrelated words, for example.`}
        label="New password"
        name="new_password"
        type="password"
      />
    </Form>
  );
}
