import { notFound } from "next/navigation";
import { resend, verify } from "#app/(dashboard)/webhooks/actions.ts";
import type { PageProps } from "#app/page-props.ts";
import { Allowed } from "#components/shell/permissions.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { AttemptTimeline } from "#components/webhook/attempt-timeline.tsx";
import { DeliveryFacts } from "#components/webhook/delivery-facts.tsx";
import { endpointState } from "#components/webhook/describe-endpoint.ts";
import { LiveRefresh } from "#components/webhook/live-refresh.tsx";
import { loadLogParams } from "#components/webhook/log-params.ts";
import { PayloadCard, TextCard } from "#components/webhook/message-cards.tsx";
import { ResendButton } from "#components/webhook/resend-button.tsx";
import { SignatureRecipe } from "#components/webhook/signature-recipe.tsx";
import { OutcomeBadge } from "#components/webhook/state-badges.tsx";
import { VerifyButton } from "#components/webhook/verify-button.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { CHALLENGE_KIND } from "#lib/domain/events.ts";
import { formatEventId, formatWebhookEndpointId } from "#lib/domain/ids.ts";
import { formatWebhookBody } from "#lib/domain/webhook-signature.ts";
import { listWebhookEndpoints } from "#lib/services/webhook/list.ts";
import { findEvent, refreshEveryMs } from "./find.ts";

export default async function EventPage({ params, searchParams }: PageProps<"eventId">) {
  const [user, { eventId }, { endpoint: asked }] = await Promise.all([
    requireResellerUser("webhooks:read"),
    params,
    loadLogParams(searchParams),
  ]);
  const ctx = contextOf(user);
  const [{ event, deliveries }, endpoints] = await Promise.all([findEvent(ctx, eventId), listWebhookEndpoints(ctx)]);
  const delivery = deliveries.find(({ endpointId }) => formatWebhookEndpointId(endpointId) === asked) ?? deliveries[0];
  if (delivery === undefined) notFound();
  const endpoint = endpoints.find(({ id }) => id === delivery.endpointId);
  const state = endpoint ? endpointState(endpoint) : "disabled";
  const body = formatWebhookBody(event);
  const sentHeaders = delivery.attempts.findLast(({ requestHeaders }) => requestHeaders !== null)?.requestHeaders;
  return (
    <>
      <LiveRefresh everyMs={refreshEveryMs(delivery, ctx.now())} />
      <PageHeader
        actions={
          <Allowed to="webhooks:write">
            {(state === "active" || state === "failing") && event.kind !== CHALLENGE_KIND && (
              <ResendButton deliveryId={delivery.id} resend={resend} />
            )}
            {endpoint?.status === "pending" && (
              <VerifyButton
                endpointId={endpoint.id}
                isAwaited={endpoint.challengeError === null}
                isChat={endpoint.format !== "standard"}
                verify={verify}
              />
            )}
          </Allowed>
        }
        badge={
          <span className="flex items-center gap-2" role="status">
            <OutcomeBadge outcome={delivery.state} />
            {event.data.test === true && <span className="text-sm text-text-muted">Test event</span>}
          </span>
        }
        heading={event.kind}
        title={`${formatEventId(event.id)} · Webhook log`}
        trail={[
          { label: "Webhooks", href: "/webhooks" },
          { label: "Log", href: "/webhooks/log" },
        ]}
      />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <AttemptTimeline delivery={delivery} />
          {delivery.text === null ? (
            <>
              <PayloadCard body={body} />
              <SignatureRecipe body={body} headers={sentHeaders ?? null} />
            </>
          ) : (
            <TextCard text={delivery.text} />
          )}
        </div>
        <DeliveryFacts
          delivery={delivery}
          endpoints={endpoints}
          event={event}
          others={deliveries.filter((other) => other !== delivery)}
          state={state}
        />
      </div>
    </>
  );
}
