import type { ProviderState, ProviderView } from "#components/provider/provider.ts";
import type { ProviderSummary } from "#lib/services/provider/list.ts";

export const providerHref = (name: string) => `/providers/${name}`;

const states = {
  closed: "working",
  open: "paused",
  half_open: "probing",
  disabled: "disabled",
} as const satisfies Record<NonNullable<ProviderSummary["health"]>["state"], ProviderState>;

export function presentProvider({ health, comparison, disabledAt, ...row }: ProviderSummary): ProviderView {
  const { name, kind, baseUrl, signs, productCount, openOperations } = row;
  return {
    name,
    kind,
    baseUrl,
    signs,
    productCount,
    openOperations,
    href: providerHref(name),
    state: disabledAt === null ? stateOf(health) : "disabled",
    recorded: health !== null,
    lastSuccessAt: health?.lastSuccessAt?.toISOString() ?? null,
    lastFailure: health?.lastFailure
      ? { at: health.lastFailure.at.toISOString(), message: health.lastFailure.message }
      : null,
    lastLatencyMs: health?.lastLatencyMs ?? null,
    comparison: comparison && {
      finishedAt: comparison.finishedAt?.toISOString() ?? null,
      failure: comparison.failureMessage,
    },
  };
}

/** What is built in always works. */
function stateOf(health: ProviderSummary["health"]): ProviderState {
  if (health === null) return "working";
  const untried = health.state === "closed" && health.lastSuccessAt === null && health.lastFailure === null;
  return untried ? "untried" : states[health.state];
}
