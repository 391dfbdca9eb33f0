import type { BadgeTone } from "#components/ui/badge.tsx";
import { endpointHref } from "#components/webhook/describe-endpoint.ts";
import { rateText } from "#components/webhook/rate-text.ts";
import type { Supply } from "#lib/services/overview/get.ts";
import type { WebhookEndpointView } from "#lib/services/webhook/endpoint.ts";
import type { EndpointActivityRow } from "#lib/services/webhook/stats.ts";

const MAX_NAMED = 3;

export interface HealthLine {
  readonly id: string;
  readonly name: string;
  readonly href: string | null;
  readonly tone: BadgeTone;
  readonly state: string;
  readonly detail: string;
}

export function supplyHealth({ state, affected }: Supply): HealthLine {
  const line = { id: "supply", name: "Provisioning", href: null };
  const named = affected.slice(0, MAX_NAMED).join(", ");
  const products = affected.length > MAX_NAMED ? `${named} and ${affected.length - MAX_NAMED} more` : named;
  switch (state) {
    case "operational":
      return { ...line, tone: "positive", state: "Operational", detail: "License changes go through right away." };
    case "slow":
      return { ...line, tone: "caution", state: "Slow", detail: `Changes take longer than usual: ${products}.` };
    case "unavailable":
      return {
        ...line,
        tone: "critical",
        state: "Unavailable",
        detail: `Nothing can be registered or changed at the moment, and nothing is charged: ${products}.`,
      };
    default:
      return state satisfies never;
  }
}

/** `activity` is of the last 24 hours. */
export function webhookHealth(
  endpoints: readonly WebhookEndpointView[],
  activity: readonly EndpointActivityRow[],
): readonly HealthLine[] {
  if (endpoints.length === 0) {
    return [
      {
        id: "webhooks",
        name: "Webhooks",
        href: "/webhooks",
        tone: "neutral",
        state: "Not set up",
        detail: "No endpoint receives your events.",
      },
    ];
  }
  return endpoints.map((endpoint) => {
    const row = activity.find(({ endpointId }) => endpointId === endpoint.id);
    const line = {
      id: `endpoint ${endpoint.id}`,
      name: endpoint.description || new URL(endpoint.url).host,
      href: endpointHref(endpoint.id),
    };
    if (endpoint.status === "disabled") {
      return { ...line, tone: "critical", state: "Disabled", detail: "It failed for too long. Nothing is sent to it." };
    }
    if (endpoint.status === "pending") {
      const detail = "No events are sent until it answers its challenge.";
      return { ...line, tone: "caution", state: "Pending", detail };
    }
    if (endpoint.status === "paused") {
      return { ...line, tone: "neutral", state: "Paused", detail: "Waiting events are sent once it is resumed." };
    }
    const { succeeded = 0, failed = 0 } = row ?? {};
    if (succeeded + failed === 0) {
      return { ...line, tone: "positive", state: "Active", detail: "Nothing was sent in the last 24 hours." };
    }
    return {
      ...line,
      tone: failed === 0 ? "positive" : "caution",
      state: failed === 0 ? "Delivering" : "Failing",
      detail: `${rateText({ succeeded, failed })} of attempts in the last 24 hours succeeded.`,
    };
  });
}
