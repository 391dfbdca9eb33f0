"use client";
import { useState } from "react";
import type { confirm, readChange } from "#app/(auth)/confirm-email/actions.ts";
import { Form } from "#components/form/form.tsx";
import { unrepeated } from "#components/form/send-signed-in.ts";
import { useForm } from "#components/form/use-form.ts";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import type { EmailChange } from "#lib/services/user/change-email.ts";
import { LINK_ADVICE, LinkPage, LinkTitle } from "./link-page.tsx";

export interface ConfirmEmailProps {
  readonly read: typeof readChange;
  readonly confirm: typeof confirm;
}

export function ConfirmEmail({ read, confirm }: ConfirmEmailProps) {
  return (
    <LinkPage read={read}>
      {(token, change) => <ConfirmForm change={change} confirm={confirm} token={token} />}
    </LinkPage>
  );
}

interface ConfirmFormProps extends Pick<ConfirmEmailProps, "confirm"> {
  readonly token: string;
  readonly change: EmailChange;
}

function ConfirmForm({ confirm, token, change }: ConfirmFormProps) {
  const { oldEmail, newEmail, isOld } = change;
  const [outcome, setOutcome] = useState<"waiting" | "changed" | null>(change.isConfirmed ? "waiting" : null);
  const form = useForm(unrepeated(confirm, LINK_ADVICE), (result) => setOutcome(result.outcome));
  return (
    <>
      <LinkTitle>Confirm an email address</LinkTitle>
      <Card>
        {outcome === "changed" ? (
          <>
            <p className="wrap-anywhere" role="status">
              Your email address is {newEmail}. Sign in with it, and with the same password.
            </p>
            <ButtonLink className="mt-4 w-full" href="/sign-in">
              Sign in
            </ButtonLink>
          </>
        ) : outcome === "waiting" ? (
          <p className="wrap-anywhere" role="status">
            Confirmed. The address changes once the link in the message to {isOld ? newEmail : oldEmail} is confirmed,
            too.
          </p>
        ) : (
          <Form form={form} input={{ token }} primary submitLabel="Confirm new email" wide>
            <p>Change the email address you sign in with?</p>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
              <dt className="text-text-muted">From</dt>
              <dd className="wrap-anywhere">{oldEmail}</dd>
              <dt className="text-text-muted">To</dt>
              <dd className="wrap-anywhere font-medium">{newEmail}</dd>
            </dl>
          </Form>
        )}
      </Card>
    </>
  );
}
