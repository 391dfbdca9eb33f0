import type { ProviderSummary } from "#lib/services/provider/list.ts";

/**
 * As its circuit breaker in the process that answers: paused after repeated silence, then one request probes it, also
 * where another process failed last. `untried`: no process has sent a request for a license yet.
 */
export type ProviderState = "untried" | "working" | "paused" | "probing" | "disabled";

export interface ProviderView extends ProviderSummary {
  readonly href: string;
  readonly state: ProviderState;
}

export const providerHref = (name: string) => `/providers/${name}`;

export function describeProvider(provider: ProviderSummary): ProviderView {
  const state = provider.disabledAt === null ? stateOf(provider.health) : "disabled";
  return { ...provider, href: providerHref(provider.name), state };
}

const states = {
  closed: "working",
  open: "paused",
  half_open: "probing",
  disabled: "disabled",
} as const satisfies Record<string, ProviderState>;

/** What is built in always works. */
function stateOf(health: ProviderSummary["health"]): ProviderState {
  if (health === null) return "working";
  const untried = health.state === "closed" && health.lastSuccessAt === null && health.lastFailure === null;
  return untried ? "untried" : states[health.state];
}
