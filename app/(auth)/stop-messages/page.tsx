import type { PageProps } from "#app/page-props.ts";
import { LinkTitle } from "#components/auth/link-page.tsx";
import { StopMessages } from "#components/auth/stop-messages.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { visitorContext } from "#lib/dashboard/define-visitor-action.ts";
import { findUnsubscription } from "#lib/services/mail/unsubscribe.ts";
import { stop } from "./actions.ts";

export default async function StopMessagesPage({ searchParams }: PageProps) {
  const { token } = await searchParams;
  const title = typeof token === "string" ? findUnsubscription(visitorContext(), token) : null;
  if (typeof token !== "string" || title === null) {
    return (
      <>
        <PageTitle>Stop emails</PageTitle>
        <LinkTitle>This link does not work</LinkTitle>
        <Card>
          <p className="text-text-muted">It may have been cut off. Choose which emails you get in your settings.</p>
          <ButtonLink className="mt-4 w-full" href="/settings">
            Open email settings
          </ButtonLink>
        </Card>
      </>
    );
  }
  return (
    <>
      <PageTitle>Stop emails</PageTitle>
      <StopMessages stop={stop} title={title} token={token} />
    </>
  );
}
