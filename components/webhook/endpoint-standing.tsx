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
        <Banner title="Two secrets sign at present" tone="info">
          Each message carries a signature by the new secret and one by the secret before it, until{" "}
          <Timestamp value={previousSecretUntil} />. Put the new one into your system before then.
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
        <Banner title="No attempt succeeds at present" tone="critical">
          {endpoint.failingSince && (
            <>
              Since <Timestamp value={endpoint.failingSince} />.{" "}
            </>
          )}
          Failed deliveries are tried again for up to three days. An endpoint that only fails for five days is disabled.
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
          What waited then is delivered once it is resumed. Events that happen meanwhile are not queued for it.
        </Banner>
      );
    case "disabled":
      return (
        <Banner
          title={
            endpoint.disabledReason === "gone"
              ? "Disabled: it answered that it is gone (410)"
              : "Disabled: it has only failed for five days"
          }
          tone="critical"
        >
          {endpoint.disabledAt && (
            <>
              Since <Timestamp value={endpoint.disabledAt} /> nothing is sent there.{" "}
            </>
          )}
          Once your system answers again, enable it, and resend what it has missed.
        </Banner>
      );
    default:
      return endpoint.state satisfies never;
  }
}
