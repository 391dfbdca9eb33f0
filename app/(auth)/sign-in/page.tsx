import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { SearchParams } from "nuqs/server";
import { findFailure, readSecondStep } from "#components/auth/sign-in-failures.ts";
import { SignInAndGo } from "#components/auth/sign-in-form.tsx";
import { Card } from "#components/ui/card.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { findIssuer } from "#lib/dashboard/issuer-sign-in.ts";
import { findPasskeySite } from "#lib/dashboard/passkey-site.ts";
import { returnPath } from "#lib/dashboard/return-path.ts";
import { findUser } from "#lib/dashboard/session.ts";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { readonly searchParams: Promise<SearchParams> }) {
  const { next: wanted, failed, second } = await searchParams;
  const next = returnPath(wanted);
  if (await findUser()) redirect(next);
  return (
    <>
      <h1 className="text-center font-semibold text-xl tracking-tight">Sign in</h1>
      <Card>
        <SignInAndGo
          arrival={{
            failure: findFailure(failed),
            secondStep: typeof second === "string" ? readSecondStep(second) : null,
          }}
          issuer={findIssuer()?.name ?? null}
          next={next}
          passkeys={findPasskeySite() !== null}
        />
      </Card>
      <p className="text-center text-sm text-text-muted">
        <TextLink href="/forgot-password">Forgot your password?</TextLink> To get access, ask a License Desk
        administrator.
      </p>
    </>
  );
}
