/**
 * As its circuit breaker in the process that answers: paused after repeated silence, then one request probes it, also
 * where another process failed last. `untried`: no process has sent a request for a license yet.
 */
export type ProviderState = "untried" | "working" | "paused" | "probing" | "disabled";

export interface Comparison {
  /** Null: none has finished. */
  readonly finishedAt: Date | null;
  /** Null: none is running. */
  readonly runningSince: Date | null;
  readonly failureMessage: string | null;
}

/** A provider without its credentials. */
interface Provider {
  readonly name: string;
  readonly kind: "sandbox" | "dispatch";
  readonly baseUrl: string | null;
  readonly signs: boolean;
  readonly disabledAt: Date | null;
  readonly productCount: number;
  readonly openOperations: number;
  /** Null: never compared. */
  readonly comparison: Comparison | null;
  /** Null: built in, so requests to it are not recorded. */
  readonly health: {
    readonly state: keyof typeof states;
    readonly lastSuccessAt: Date | null;
    readonly lastFailure: { readonly at: Date; readonly message: string } | null;
    readonly lastLatencyMs: number | null;
  } | null;
}

export interface ProviderView extends Provider {
  readonly href: string;
  readonly state: ProviderState;
}

export const providerHref = (name: string) => `/providers/${name}`;

export function describeProvider<Row extends Provider>(provider: Row): Row & ProviderView {
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
function stateOf(health: Provider["health"]): ProviderState {
  if (health === null) return "working";
  const untried = health.state === "closed" && health.lastSuccessAt === null && health.lastFailure === null;
  return untried ? "untried" : states[health.state];
}

export interface ProviderInput {
  readonly name: string;
  readonly base_url: string;
  /** Empty: the stored one stays. */
  readonly api_key: string;
  readonly signing: "keep" | "none" | "set";
  readonly signing_secret: string;
}

export interface ProviderRef {
  readonly name: string;
}

export interface DisableInput extends ProviderRef {
  readonly disabled: boolean;
}

export type TestResult =
  | { readonly works: true; readonly latencyMs: number; readonly balance: string; readonly currency: string }
  | { readonly works: false; readonly latencyMs: number; readonly message: string };
