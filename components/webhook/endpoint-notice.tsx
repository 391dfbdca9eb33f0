import { Banner } from "#components/ui/banner.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { CHALLENGE_KIND } from "#lib/domain/events.ts";
import type { EndpointDetails } from "./webhook.ts";

/** What keeps messages from arriving, and what can be done about it; nothing while all is well. */
export function EndpointNotice({ endpoint }: { readonly endpoint: EndpointDetails }) {
  const { previousSecretUntil } = endpoint;
  return (
    <>
      <StateNotice endpoint={endpoint} />
      {previousSecretUntil && (
        <Banner title="Two secrets are active" tone="info">
          Each message is signed with both the new and the previous secret until{" "}
          <Timestamp value={previousSecretUntil} />. Switch your system to the new one before then.
        </Banner>
      )}
    </>
  );
}

/** A system answers a challenge, a chat passes on a code. */
function PendingBanner({ endpoint: { id, format, challengeError: error } }: { readonly endpoint: EndpointDetails }) {
  const isChat = format !== "standard";
  const failed = isChat ? "The code could not be delivered" : "Verification failed";
  const waiting = isChat ? "This chat has received a code" : "Waiting for this endpoint to answer a challenge";
  return (
    <Banner title={error === null ? waiting : failed} tone={error === null ? "info" : "caution"}>
      {error !== null ? (
        `${error.replace(/\.?$/, ".")} Correct that, then ${isChat ? "send a new code" : "verify again"}.`
      ) : isChat ? (
        "Enter it below, or ask someone who reads the chat for it."
      ) : (
        <>
          Answer <code className="font-mono">{CHALLENGE_KIND}</code> with 2xx and{" "}
          <code className="font-mono">data.challenge</code> as the body.
        </>
      )}{" "}
      Events of the first 24 hours are queued until {isChat ? "it is verified" : "then"}.{" "}
      <TextLink href={`/webhooks/log?endpoint=${id}`}>View attempts</TextLink>
    </Banner>
  );
}

function StateNotice({ endpoint }: { readonly endpoint: EndpointDetails }) {
  switch (endpoint.state) {
    case "active":
      return null;
    case "failing":
      return (
        <Banner
          title={
            <>
              No delivery has succeeded since {endpoint.firstFailedAt && <Timestamp value={endpoint.firstFailedAt} />}
            </>
          }
          tone="caution"
        >
          Failed deliveries are retried for up to three days. After five days without a success, the endpoint is
          disabled.
        </Banner>
      );
    case "pending":
    case "unverified":
      return <PendingBanner endpoint={endpoint} />;
    case "paused":
      return (
        <Banner title="Paused by you" tone="caution">
          {endpoint.pausedAt && (
            <>
              Since <Timestamp value={endpoint.pausedAt} />.{" "}
            </>
          )}
          Events that were waiting then are delivered once you resume it. Events that happen in the meantime are not
          queued.
        </Banner>
      );
    case "disabled":
      return (
        <Banner
          title={
            endpoint.disabledReason === "gone"
              ? "Disabled after a 410 Gone response"
              : "Disabled after five days of failures"
          }
          tone="critical"
        >
          {endpoint.disabledAt && (
            <>
              Since <Timestamp value={endpoint.disabledAt} /> nothing has been sent there.{" "}
            </>
          )}
          Once your system answers again, enable it and resend what it missed.
        </Banner>
      );
    default:
      return endpoint.state satisfies never;
  }
}
