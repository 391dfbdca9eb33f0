import { redirect } from "next/navigation";
import type { PageProps } from "#app/page-props.ts";
import { findFailure, readSecondStep } from "#components/auth/sign-in-failures.ts";
import { SignInAndGo } from "#components/auth/sign-in-form.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { findIssuer } from "#lib/dashboard/issuer-sign-in.ts";
import { findPasskeySite } from "#lib/dashboard/passkey-site.ts";
import { returnPath } from "#lib/dashboard/return-path.ts";
import { findUser } from "#lib/dashboard/session.ts";

export default async function SignInPage({ searchParams }: PageProps) {
  const { next: wanted, failed, second } = await searchParams;
  const next = returnPath(wanted);
  if (await findUser()) redirect(next);
  return (
    <>
      <PageTitle>Sign in</PageTitle>
      <SignInAndGo
        arrival={{
          failure: findFailure(failed),
          secondStep: typeof second === "string" ? readSecondStep(second) : null,
        }}
        issuer={findIssuer()?.name ?? null}
        next={next}
        passkeys={findPasskeySite() !== null}
      />
    </>
  );
}
