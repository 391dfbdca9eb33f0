"use client";
import { useState } from "react";
import type { readLink, setPassword } from "#app/(auth)/set-password/actions.ts";
import { Form } from "#components/form/form.tsx";
import { unrepeated } from "#components/form/send-signed-in.ts";
import { useForm } from "#components/form/use-form.ts";
import { Banner } from "#components/ui/banner.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { TextField } from "#components/ui/field.tsx";
import { PASSWORD_MIN_LENGTH } from "#lib/domain/password.ts";
import type { LinkOwner } from "#lib/services/user/redeem-access-link.ts";
import { CodeForm } from "./code-form.tsx";
import { LINK_ADVICE, LinkPage, LinkTitle } from "./link-page.tsx";
import type { SecondStep } from "./sign-in-failures.ts";
import { trySignIn } from "./try-sign-in.ts";

export interface SetPasswordProps {
  readonly read: typeof readLink;
  readonly set: typeof setPassword;
  /** Who is signed in to this browser, or null. */
  readonly signedIn: Pick<LinkOwner, "userId" | "name"> | null;
}

export function SetPassword({ read, ...rest }: SetPasswordProps) {
  return (
    <LinkPage
      read={read}
      renewal={
        <ButtonLink className="mt-4 w-full" href="/forgot-password">
          Get a new link
        </ButtonLink>
      }
    >
      {(token, owner) => <SetPasswordForm {...rest} owner={owner} token={token} />}
    </LinkPage>
  );
}

/** A page load: the form stays busy until then. */
function openDashboard(): Promise<never> {
  window.location.assign("/");
  return new Promise(() => {});
}

function openSignIn(): void {
  window.location.assign("/sign-in");
}

interface SetPasswordFormProps extends Omit<SetPasswordProps, "read"> {
  readonly token: string;
  readonly owner: LinkOwner;
}

function SetPasswordForm({ set, signedIn, token, owner }: SetPasswordFormProps) {
  const [secondStep, setSecondStep] = useState<SecondStep | null>(null);
  const form = useForm(unrepeated(set, LINK_ADVICE), ({ email }, element) => {
    const password = String(new FormData(element ?? undefined).get("new_password"));
    void trySignIn({ email, password }, openDashboard).then((failed) => {
      if (failed !== null && typeof failed === "object") setSecondStep(failed);
      else if (failed !== null) openSignIn();
    });
    return true;
  });
  if (secondStep) {
    return (
      <>
        <LinkTitle>Your password is set</LinkTitle>
        <Card>
          <CodeForm onExpired={openSignIn} onSignedIn={openDashboard} step={secondStep} />
        </Card>
      </>
    );
  }
  return (
    <>
      <div className="text-center">
        <h1 className="font-semibold text-xl tracking-tight">
          {owner.kind === "invitation" ? "Welcome to License Desk" : "Choose a new password"}
        </h1>
        <p className="mt-1 text-pretty text-text-muted">
          {owner.kind === "invitation"
            ? `Choose a password, ${owner.name}. You sign in with it and your email address.`
            : "Your old password ends, and you are signed out everywhere else."}
        </p>
      </div>
      {signedIn && signedIn.userId !== owner.userId && (
        <Banner title={`You are signed in as ${signedIn.name}`}>
          Setting the password signs this browser in as {owner.name} instead.
        </Banner>
      )}
      <Card>
        <Form
          form={form}
          input={{ token }}
          primary
          refusalNote="No password was set."
          submitLabel="Set password and sign in"
          wide
        >
          <TextField
            autoComplete="username"
            defaultValue={owner.email}
            label="Email"
            name="_email"
            readOnly
            type="email"
          />
          <TextField
            autoComplete="new-password"
            autoFocus
            hint={`At least ${PASSWORD_MIN_LENGTH} characters, and hard to guess: a few unrelated words, for example.`}
            label="New password"
            name="new_password"
            type="password"
          />
        </Form>
      </Card>
    </>
  );
}
