"use client";
import type { changeEmail } from "#app/(dashboard)/settings/actions.ts";
import { Form } from "#components/form/form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { TextField } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast-store.ts";

export function EmailForm({ action }: { readonly action: typeof changeEmail }) {
  const form = useForm(action, (_, element) => {
    element?.reset();
    toast({
      title: "Two messages are on their way",
      description: "Confirm the links in both, to your old and to your new address, within a day.",
      tone: "positive",
    });
  });
  return (
    <Form
      className="flex max-w-sm flex-col gap-4"
      form={form}
      refusalNote="Your email address is the same as before."
      submitLabel="Change email"
    >
      <TextField autoComplete="email" label="New email" name="new_email" type="email" />
      <TextField autoComplete="current-password" label="Your password" name="email_password" type="password" />
    </Form>
  );
}
