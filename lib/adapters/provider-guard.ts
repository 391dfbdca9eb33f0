import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhenResult } from "cockatiel";
import type { LicenseProvider, ProviderFault, ProviderHealth, ProviderOutcome } from "#lib/ports/license-provider.ts";

export interface GuardOptions {
  /** So many requests in a row without any answer, and it is left alone. */
  readonly failuresToOpen: number;
  /** For so long; then one request probes it, and the next ones wait for what becomes of that one. */
  readonly coolDownMs: number;
  /** Told each change of the breaker's state. */
  readonly onChange?: (change: BreakerChange) => void;
}

export interface BreakerChange {
  readonly state: "open" | "half_open" | "closed";
  /** Requests without an answer since the breaker was closed. */
  readonly failures: number;
  readonly lastKind: ProviderFault | null;
}

const paused: ProviderOutcome = {
  kind: "not_sent",
  message: "The provider is left alone for a moment: it did not answer.",
};

/**
 * A provider behind a circuit breaker. Time-outs and broken connections count; a refusal is an answer. Look-ups pass
 * always: they are how the truth is found out, and nobody waits for them.
 */
export function guardProvider(provider: LicenseProvider, options: GuardOptions): LicenseProvider {
  const policy = circuitBreaker(
    handleWhenResult((outcome) => isFault(outcome as ProviderOutcome)),
    { halfOpenAfter: options.coolDownMs, breaker: new ConsecutiveBreaker(options.failuresToOpen) },
  );
  let openedAtMs = 0;
  let failures = 0;
  let lastKind: ProviderFault | null = null;
  const tell = (state: BreakerChange["state"]) => options.onChange?.({ state, failures, lastKind });
  policy.onBreak(() => {
    openedAtMs = performance.now();
    tell("open");
  });
  policy.onHalfOpen(() => tell("half_open"));
  policy.onReset(() => {
    tell("closed");
    failures = 0;
  });
  let lastSuccessAt: Date | null = null;
  let lastFailure: ProviderHealth["lastFailure"] = null;
  let lastLatencyMs: number | null = null;

  /** The breaker becomes half open with the next request, and lets that one through alone. */
  function state(): "closed" | "open" | "half_open" {
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

  /** Before the breaker judges it, so that its changes tell this one, too. */
  function count(outcome: ProviderOutcome): ProviderOutcome {
    const fault = faultOf(outcome);
    if (fault !== undefined) {
      failures += 1;
      lastKind = fault;
    } else if (policy.state === CircuitState.Closed) failures = 0;
    return outcome;
  }

  function note(outcome: ProviderOutcome, startedAtMs: number): void {
    const problem =
      outcome.kind === "rejected" ? outcome.accountProblem : "message" in outcome ? outcome.message : null;
    if (problem) lastFailure = { at: new Date(), message: problem };
    if (isFault(outcome)) return;
    lastLatencyMs = Math.round(performance.now() - startedAtMs);
    if (!problem) lastSuccessAt = new Date();
  }

  return {
    ...provider,

    async execute(request, maySend) {
      if (!accepts()) return paused;
      const startedAtMs = performance.now();
      try {
        const outcome = await policy.execute(async () => count(await provider.execute(request, maySend)));
        note(outcome, startedAtMs);
        return outcome;
      } catch (error) {
        if (error instanceof BrokenCircuitError) return paused;
        return { kind: "unknown", message: "The provider's adapter failed." };
      }
    },

    health: () => ({ state: state(), accepts: accepts(), lastSuccessAt, lastFailure, lastLatencyMs }),
  };
}

function faultOf(outcome: ProviderOutcome): ProviderFault | undefined {
  return outcome.kind === "not_sent" || outcome.kind === "unknown" ? outcome.fault : undefined;
}

function isFault(outcome: ProviderOutcome): boolean {
  return faultOf(outcome) !== undefined;
}
