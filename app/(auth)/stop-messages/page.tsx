import type { Metadata } from "next";
import { StopMessages } from "#components/auth/stop-messages.tsx";
import { visitorContext } from "#lib/dashboard/define-visitor-action.ts";
import { findUnsubscription } from "#lib/services/mail/unsubscribe.ts";
import { stop } from "./actions.ts";

export const metadata: Metadata = { title: "Stop messages" };

interface StopMessagesPageProps {
  readonly searchParams: Promise<{ readonly token?: string | string[] }>;
}

export default async function StopMessagesPage({ searchParams }: StopMessagesPageProps) {
  const { token } = await searchParams;
  const title = typeof token === "string" ? findUnsubscription(visitorContext(), token) : null;
  if (typeof token !== "string" || title === null) {
    return (
      <>
        <h1 className="text-center font-semibold text-xl tracking-tight">This link does not work</h1>
        <p className="text-center text-text-muted">
          It may have been cut off. You can choose your messages in the settings.
        </p>
      </>
    );
  }
  return <StopMessages stop={stop} title={title} token={token} />;
}
