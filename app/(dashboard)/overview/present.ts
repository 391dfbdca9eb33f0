import { endpointHref } from "#app/(dashboard)/webhooks/present.ts";
import { describeEvent } from "#components/license/event-text.ts";
import type { ActivityLine, HealthLine, LicenseFigure, SpendView } from "#components/overview/overview.ts";
import { rateText } from "#components/webhook/rate-text.ts";
import { formatMoney, parseCurrency, parseMajor } from "#lib/domain/money.ts";
import type { Overview, RecentEventRow, Supply } from "#lib/services/overview/get.ts";
import type { WebhookEndpointView } from "#lib/services/webhook/endpoint.ts";
import type { EndpointActivityRow } from "#lib/services/webhook/stats.ts";

const MAX_PRODUCTS = 4;
const MAX_NAMED = 3;

export function presentLicenses(counts: Overview["licenses"]): readonly LicenseFigure[] {
  const inState = (label: string, status: "pending" | "active" | "suspended" | "expired") => ({
    label,
    count: counts[status],
    href: `/licenses?status=${status}`,
  });
  return [
    inState("Active", "active"),
    { label: "End in 7 days", count: counts.within7Days, href: "/licenses?expires=7" },
    { label: "End in 30 days", count: counts.within30Days, href: "/licenses?expires=30" },
    inState("Pending", "pending"),
    inState("Suspended", "suspended"),
    inState("Expired", "expired"),
  ];
}

/** The products that cost the most in all of the months have their own share, the others one together. */
export function presentSpend({ months, spend }: Pick<Overview, "months" | "spend">, currency: string): SpendView {
  const totals = new Map<string, bigint>();
  for (const { name, amount } of spend) totals.set(name, (totals.get(name) ?? 0n) + amount);
  const ranked = [...totals].toSorted(([, one], [, other]) => Number(other - one)).map(([name]) => name);
  const named = ranked.slice(0, MAX_PRODUCTS);
  const rest = ranked.slice(MAX_PRODUCTS);
  const groups = [...named.map((name) => [name]), ...(rest.length > 0 ? [rest] : [])];
  return {
    currency,
    products: [...named, ...(rest.length > 0 ? ["Others"] : [])],
    months: months.map((month) => {
      const rows = spend.filter((row) => row.month.getTime() === month.getTime());
      const sumOf = (names: readonly string[]) =>
        rows.reduce((sum, { name, amount }) => (names.includes(name) ? sum + amount : sum), 0n);
      return {
        month: month.toISOString(),
        amounts: groups.map((names) => sumOf(names).toString()),
        total: sumOf(ranked).toString(),
      };
    }),
  };
}

export function presentSupply({ state, affected }: Supply): HealthLine {
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
export function presentWebhooks(
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
        state: "None",
        detail: "No endpoint set up.",
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
      return { ...line, tone: "neutral", state: "Paused", detail: "What waits is sent once it is resumed." };
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

/** Events carry money in major units (contract 1.9). */
function toppedUpText({ amount, currency }: Readonly<Record<string, string | number>>): string {
  const code = parseCurrency(String(currency));
  const minor = code && parseMajor(String(amount), code);
  return code === null || minor === null ? "" : formatMoney(minor, code);
}

export function presentActivity(event: RecentEventRow): ActivityLine {
  const data = Object.fromEntries(
    Object.entries(event.data).filter((entry): entry is [string, string | number] => isPlain(entry[1])),
  );
  const { title, detail } = describeEvent(event.kind, data);
  return {
    id: event.id,
    at: event.occurredAt.toISOString(),
    title,
    detail: event.kind === "wallet.topped_up" ? toppedUpText(data) : detail,
    subject: subjectOf(event),
  };
}

function isPlain(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function subjectOf({ licenseId, bundleInstanceId, name, server }: RecentEventRow): ActivityLine["subject"] {
  const href =
    licenseId !== null ? `/licenses/${licenseId}` : bundleInstanceId !== null ? `/bundles/${bundleInstanceId}` : null;
  return href === null ? null : { name: `${name} on ${server}`, href };
}
