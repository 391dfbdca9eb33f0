import { Banner } from "#components/ui/banner.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { EndpointDetails } from "./webhook.ts";

/** What keeps messages from arriving, and what can be done about it; nothing while all is well. */
export function EndpointStanding({ endpoint }: { readonly endpoint: EndpointDetails }) {
  const { previousSecretUntil } = endpoint;
  return (
    <>
      <Standing endpoint={endpoint} />
      {previousSecretUntil && (
        <Banner title="Two secrets are active" tone="info">
          Each message is signed with both the new and the previous secret until{" "}
          <Timestamp value={previousSecretUntil} />. Switch your system to the new one before then.
        </Banner>
      )}
    </>
  );
}

function Standing({ endpoint }: { readonly endpoint: EndpointDetails }) {
  switch (endpoint.state) {
    case "active":
      return null;
    case "failing":
      return (
        <Banner
          title={
            <>Every attempt has failed since {endpoint.failingSince && <Timestamp value={endpoint.failingSince} />}</>
          }
          tone="critical"
        >
          Failed deliveries are retried for up to three days. An endpoint that does nothing but fail for five days is
          disabled.
        </Banner>
      );
    case "paused":
      return (
        <Banner title="Paused by you" tone="caution">
          {endpoint.pausedAt && (
            <>
              Since <Timestamp value={endpoint.pausedAt} />.{" "}
            </>
          )}
          What was waiting then is delivered once you resume it. Events that happen in the meantime are not queued.
        </Banner>
      );
    case "disabled":
      return (
        <Banner
          title={
            endpoint.disabledReason === "gone"
              ? "Disabled: it answered that it is gone (410)"
              : "Disabled: every attempt failed for five days"
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
