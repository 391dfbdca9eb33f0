import { CircleCheck } from "lucide-react";
import type { PageProps } from "#app/page-props.ts";
import { IssuerLink } from "#components/auth/issuer-link.tsx";
import { LinkTitle } from "#components/auth/link-page.tsx";
import { failures, findFailure } from "#components/auth/sign-in-failures.ts";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { findIssuer } from "#lib/dashboard/issuer-sign-in.ts";

/** The end of signing in at the issuer in a tab of its own. */
export default async function ConfirmedPage({ searchParams }: PageProps) {
  const failure = findFailure((await searchParams).failed);
  const issuer = findIssuer()?.name;
  if (failure === null) {
    return (
      <>
        <PageTitle>Sign-in</PageTitle>
        <LinkTitle>Identity confirmed</LinkTitle>
        <Card>
          <EmptyState
            description="Close this tab and continue where you were."
            icon={<CircleCheck className="text-positive" />}
            title="You are signed in"
          />
        </Card>
      </>
    );
  }
  return (
    <>
      <PageTitle>Sign-in</PageTitle>
      <LinkTitle>Not confirmed</LinkTitle>
      <Card>
        <div className="flex flex-col gap-4">
          <ErrorState {...failures[failure]} />
          {issuer !== undefined && <IssuerLink issuer={issuer} label="Try again" next={null} />}
        </div>
      </Card>
    </>
  );
}
