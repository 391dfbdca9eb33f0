"use client";
import { useState } from "react";
import type { requestLink } from "#app/(auth)/forgot-password/actions.ts";
import { Form } from "#components/form/form.tsx";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { TextField } from "#components/ui/field.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { LinkTitle } from "./link-page.tsx";

export function ForgotPassword({ request }: { readonly request: typeof requestLink }) {
  const [email, setEmail] = useState("");
  const [sentCount, setSentCount] = useState(0);
  const [sendsLinks, setSendsLinks] = useState(true);
  const form = useForm(request, (answer) => {
    setSendsLinks(answer.sendsLinks);
    setSentCount((count) => count + 1);
  });
  const sent = `${sentCount > 1 ? "another message" : "a message"} with a link is on its way`;
  const message = sendsLinks
    ? `${sent}, unless three were sent within the last half hour. Each link works for 30 minutes.`
    : "a License Desk administrator can give you a link.";
  return (
    <>
      <LinkTitle>
        {sentCount === 0 ? "Forgot your password?" : sendsLinks ? "Check your email" : "Ask an administrator"}
      </LinkTitle>
      {sentCount > 0 ? (
        <Card>
          <p className="wrap-anywhere text-pretty" role="status">
            If <span className="font-medium">{email}</span> can sign in here, {message}
          </p>
          <p className="mt-3 text-pretty text-sm text-text-muted">
            {sendsLinks
              ? "Nothing there? Look in the spam folder, or ask a License Desk administrator, who can give you a link."
              : "Messages with links are not set up here, so none is sent."}
          </p>
          {form.refusal && <SubmissionError failure={form.refusal} refusalNote="No further message was sent." />}
          <div className="mt-4 flex flex-wrap gap-2">
            {sendsLinks && (
              <Button loading={form.pending} onClick={() => void form.send({ email })}>
                Send again
              </Button>
            )}
            <Button onClick={() => setSentCount(0)} variant="ghost">
              Use another address
            </Button>
          </div>
        </Card>
      ) : (
        <Card>
          <Form form={form} primary refusalNote="No message was sent." submitLabel="Send a link" wide>
            <TextField
              autoComplete="username"
              autoFocus
              defaultValue={email}
              label="Email"
              name="email"
              onChange={({ target }) => setEmail(target.value)}
              type="email"
            />
          </Form>
        </Card>
      )}
      <p className="text-center text-sm">
        <TextLink href="/sign-in">Back to sign-in</TextLink>
      </p>
    </>
  );
}
