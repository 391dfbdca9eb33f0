"use client";
import { useState } from "react";
import { Form } from "#components/form/form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Card } from "#components/ui/card.tsx";
import { TextField } from "#components/ui/field.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface ForgotPasswordProps {
  readonly request: OnceAction<{ readonly email: string }>;
}

export function ForgotPassword({ request }: ForgotPasswordProps) {
  const [asked, setAsked] = useState(false);
  const form = useForm(request, () => setAsked(true));
  return (
    <>
      <h1 className="text-center font-semibold text-xl tracking-tight">Forgot your password?</h1>
      {asked ? (
        <Card>
          <p role="status">
            If this address can sign in here, a message with a link is on its way. The link works for 30 minutes.
          </p>
          <p className="mt-3 text-sm text-text-muted">
            Nothing there? Look in the spam folder, or ask a License Desk administrator, who can give you the link.
          </p>
        </Card>
      ) : (
        <Card>
          <Form className="flex flex-col gap-4" form={form} primary submitLabel="Send a link" wide>
            <TextField autoComplete="username" autoFocus label="Email" name="email" spellCheck={false} type="email" />
          </Form>
        </Card>
      )}
      <p className="text-center text-sm">
        <TextLink href="/sign-in">Back to sign-in</TextLink>
      </p>
    </>
  );
}
