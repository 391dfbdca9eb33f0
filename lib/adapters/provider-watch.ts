import type { FailureWatch } from "#lib/domain/failure-watch.ts";
import type { ProviderCall } from "#lib/domain/observation.ts";
import { traced } from "#lib/domain/trace.ts";
import type { LicenseProvider, ProviderLookUp, ProviderOutcome } from "#lib/ports/license-provider.ts";

interface ProviderObserver {
  /** Of requests that change something. */
  readonly changes: FailureWatch;
  /** Of queries of their outcome. */
  readonly lookUps: FailureWatch;
  readonly answered: (call: ProviderCall) => void;
}

/** Records each request, and those without a clear response. */
export function watchProvider(
  provider: LicenseProvider,
  { changes, lookUps, answered }: ProviderObserver,
): LicenseProvider {
  const observe = (request: ProviderCall["request"], outcome: string, startMs: number) =>
    answered({ provider: provider.name, request, outcome, durationMs: performance.now() - startMs });
  const spanned = <Outcome extends { readonly kind: string }>(
    request: ProviderCall["request"],
    ask: () => Promise<Outcome>,
  ) =>
    traced({ name: `provider ${request}`, kind: "client" }, async (span) => {
      const outcome = await ask();
      span.set({ "license_desk.provider": provider.name, "license_desk.outcome": outcome.kind });
      return outcome;
    });
  const change = async (ask: () => Promise<ProviderOutcome>) => {
    const startMs = performance.now();
    const outcome = await spanned("change", ask);
    const failure = failureKind(outcome);
    record(changes, failure);
    if (failure !== "") observe("change", failure ?? outcome.kind, startMs);
    return outcome;
  };
  const { check, reportProblem } = provider;
  return {
    ...provider,
    execute: (request, maySend) => change(() => provider.execute(request, maySend)),
    ...(check && { check: (purchases, maySend) => change(() => check(purchases, maySend)) }),
    ...(reportProblem && {
      reportProblem(message) {
        changes.failed("account_problem");
        reportProblem(message);
      },
    }),
    async lookUp(request, options) {
      const startMs = performance.now();
      const found = await spanned("look_up", () => provider.lookUp(request, options));
      record(lookUps, lookUpFailureKind(found));
      observe("look_up", found.kind, startMs);
      return found;
    },
  };
}

function record(watch: FailureWatch, failure: string | null): void {
  if (failure === null) watch.succeeded();
  else if (failure !== "") watch.failed(failure);
}

/** Null for a clear response; empty if there was nothing to send. */
function failureKind(outcome: ProviderOutcome): string | null {
  switch (outcome.kind) {
    case "succeeded":
    case "rejected":
      return outcome.accountProblem === undefined ? null : "account_problem";
    case "not_sent":
      return outcome.fault ?? (outcome.accountProblem === undefined ? "paused" : "account_problem");
    case "withheld":
      return "";
    case "unknown":
      return outcome.fault ?? "unclear_answer";
    default:
      return outcome satisfies never;
  }
}

function lookUpFailureKind({ kind }: ProviderLookUp): string | null {
  return kind === "unreachable" ? "unreachable" : null;
}
