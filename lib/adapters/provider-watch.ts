import type { FailureWatch } from "#lib/domain/failure-watch.ts";
import type { LicenseProvider, ProviderLookUp, ProviderOutcome } from "#lib/ports/license-provider.ts";

/**
 * Records requests without a clear response.
 * @param changes requests that change something; `lookUps`: queries of their outcome
 */
export function watchProvider(
  provider: LicenseProvider,
  { changes, lookUps }: { readonly changes: FailureWatch; readonly lookUps: FailureWatch },
): LicenseProvider {
  return {
    ...provider,
    async execute(request, maySend) {
      const outcome = await provider.execute(request, maySend);
      record(changes, failureKind(outcome));
      return outcome;
    },
    async lookUp(request, options) {
      const found = await provider.lookUp(request, options);
      record(lookUps, lookUpFailureKind(found));
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
      return null;
    case "rejected":
      return outcome.accountProblem === undefined ? null : "account_problem";
    case "not_sent":
      return outcome.fault ?? "paused";
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
