import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhenResult } from "cockatiel";
import type { BreakerState } from "#lib/domain/observation.ts";
import type { LicenseProvider, ProviderFault, ProviderHealth, ProviderOutcome } from "#lib/ports/license-provider.ts";

export interface GuardOptions {
  /** Consecutive requests without a response that open the breaker. */
  readonly failuresToOpen: number;
  /** Time until a single request probes the provider; further ones wait for its outcome. */
  readonly coolDownMs: number;
  /** Called on each state change of the breaker. */
  readonly onChange?: (change: BreakerChange) => void;
  /** Called after each request that was sent. */
  readonly onAnswer?: (health: ProviderHealth) => void;
}

export interface BreakerChange {
  readonly state: BreakerState;
  /** Requests without a response since the breaker was closed. */
  readonly failures: number;
  readonly lastKind: ProviderFault | null;
}

const paused: ProviderOutcome = {
  kind: "not_sent",
  message: "The provider is not responding: nothing is sent for the moment.",
};

/**
 * Puts a provider behind a circuit breaker. Timeouts and broken connections count; a rejection is a response. Look-ups
 * always pass: they determine outcomes, and no caller waits for them.
 */
export function guardProvider(provider: LicenseProvider, options: GuardOptions): LicenseProvider {
  const policy = circuitBreaker(
    handleWhenResult((outcome) => isFault(outcome as ProviderOutcome)),
    { halfOpenAfter: options.coolDownMs, breaker: new ConsecutiveBreaker(options.failuresToOpen) },
  );
  let openedAtMs = 0;
  let failures = 0;
  let lastKind: ProviderFault | null = null;
  const reportChange = (state: BreakerChange["state"]) => options.onChange?.({ state, failures, lastKind });
  policy.onBreak(() => {
    openedAtMs = performance.now();
    reportChange("open");
  });
  policy.onHalfOpen(() => reportChange("half_open"));
  policy.onReset(() => {
    reportChange("closed");
    failures = 0;
  });
  let lastSuccessAt: Date | null = null;
  let lastFailure: ProviderHealth["lastFailure"] = null;
  let lastLatencyMs: number | null = null;

  /** The next request turns the breaker half-open and passes alone. */
  function state(): BreakerState {
    switch (policy.state) {
      case CircuitState.Closed:
        return "closed";
      case CircuitState.HalfOpen:
        return "half_open";
      default:
        return "open";
    }
  }

  function accepts(): boolean {
    const now = state();
    return now === "closed" || (now === "open" && performance.now() - openedAtMs >= options.coolDownMs);
  }

  /** Counts before the breaker's state changes, so that the change includes this request. */
  function count(outcome: ProviderOutcome): ProviderOutcome {
    const fault = faultOf(outcome);
    if (fault !== undefined) {
      failures += 1;
      lastKind = fault;
    } else if (policy.state === CircuitState.Closed) failures = 0;
    return outcome;
  }

  function record(outcome: ProviderOutcome, startedAtMs: number): void {
    const problem = problemOf(outcome);
    const shown = problem ?? (outcome.kind === "rejected" ? outcome.note : undefined);
    if (shown) lastFailure = { at: new Date(), message: shown };
    if (isFault(outcome)) return;
    lastLatencyMs = Math.round(performance.now() - startedAtMs);
    if (!problem) lastSuccessAt = new Date();
  }

  const health = (): ProviderHealth => ({
    state: state(),
    accepts: accepts(),
    lastSuccessAt,
    lastFailure,
    lastLatencyMs,
  });

  async function guard(ask: () => Promise<ProviderOutcome>): Promise<ProviderOutcome> {
    if (!accepts()) return paused;
    const startedAtMs = performance.now();
    try {
      const outcome = await policy.execute(async () => count(await ask()));
      record(outcome, startedAtMs);
      options.onAnswer?.(health());
      return outcome;
    } catch (error) {
      if (error instanceof BrokenCircuitError) return paused;
      return { kind: "unknown", message: "The provider's adapter failed." };
    }
  }

  const { check } = provider;
  return {
    ...provider,
    execute: (request, maySend) => guard(() => provider.execute(request, maySend)),
    ...(check && { check: (purchases, maySend) => guard(() => check(purchases, maySend)) }),
    reportProblem(message) {
      lastFailure = { at: new Date(), message };
      options.onAnswer?.(health());
    },
    health,
  };
}

function problemOf(outcome: ProviderOutcome): string | undefined {
  if (outcome.kind === "succeeded" || outcome.kind === "rejected") return outcome.accountProblem;
  if (outcome.kind === "not_sent") return outcome.accountProblem ?? outcome.message;
  return outcome.kind === "withheld" ? undefined : outcome.message;
}

function faultOf(outcome: ProviderOutcome): ProviderFault | undefined {
  return outcome.kind === "not_sent" || outcome.kind === "unknown" ? outcome.fault : undefined;
}

function isFault(outcome: ProviderOutcome): boolean {
  return faultOf(outcome) !== undefined;
}
