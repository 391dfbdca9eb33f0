import type { FailureWatch } from "#lib/domain/failure-watch.ts";
import type { LicenseProvider, ProviderLookUp, ProviderOutcome } from "#lib/ports/license-provider.ts";

/**
 * Reports which requests a provider did not answer clearly.
 * @param changes of requests that change something; `lookUps`: of questions about what became of them
 */
export function watchProvider(
  provider: LicenseProvider,
  { changes, lookUps }: { readonly changes: FailureWatch; readonly lookUps: FailureWatch },
): LicenseProvider {
  return {
    ...provider,
    async execute(request, maySend) {
      const outcome = await provider.execute(request, maySend);
      note(changes, kindOfFailure(outcome));
      return outcome;
    },
    async lookUp(request, options) {
      const found = await provider.lookUp(request, options);
      note(lookUps, kindOfSilence(found));
      return found;
    },
  };
}

function note(watch: FailureWatch, failure: string | null): void {
  if (failure === null) watch.succeeded();
  else if (failure !== "") watch.failed(failure);
}

/** Null: a clear answer. Empty: nothing was to be sent. */
function kindOfFailure(outcome: ProviderOutcome): string | null {
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

function kindOfSilence({ kind }: ProviderLookUp): string | null {
  return kind === "unreachable" ? "unreachable" : null;
}
