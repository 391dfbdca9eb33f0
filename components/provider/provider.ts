/**
 * As its circuit breaker in the process that answers: paused after repeated silence, then one request probes it.
 * `untried`: that process has sent no request for a license yet.
 */
export type ProviderState = "untried" | "working" | "paused" | "probing" | "disabled";

export interface ComparisonView {
  /** ISO 8601, UTC; null while it runs. */
  readonly finishedAt: string | null;
  readonly failure: string | null;
}

export interface ProviderView {
  readonly name: string;
  readonly href: string;
  readonly kind: "sandbox" | "dispatch";
  readonly baseUrl: string | null;
  readonly signs: boolean;
  readonly state: ProviderState;
  readonly productCount: number;
  readonly openOperations: number;
  /** False: built in, so requests to it are not recorded. */
  readonly recorded: boolean;
  /** ISO 8601, UTC. */
  readonly lastSuccessAt: string | null;
  readonly lastFailure: { readonly at: string; readonly message: string } | null;
  readonly lastLatencyMs: number | null;
  /** Null: never compared. */
  readonly comparison: ComparisonView | null;
}

/** Where there is no time of a last success or failure. */
export function noneText(recorded: boolean, text: string): string {
  return recorded ? text : "Not recorded";
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
