"use client";
import { ErrorState } from "#components/ui/error-state.tsx";
import { InsufficientBalance } from "#components/wallet/insufficient-balance.tsx";
import type { ServerChange } from "./use-form.ts";
import type { SubmissionFailure } from "./use-submission.ts";

export interface SubmissionErrorProps {
  readonly failure: SubmissionFailure;
  /** What did not happen when the server refused, e.g. "Nothing was charged." */
  readonly refusalNote?: string;
  /** What somebody else has changed meanwhile, by `useForm`. */
  readonly serverChanges?: readonly ServerChange[];
  /** The reader's own wallet was to be charged: they can top it up. */
  readonly ownWallet?: true;
}

/** A failure that belongs to no field: what happened, what did not, and what to do now. */
export function SubmissionError({ failure, refusalNote, serverChanges = [], ownWallet }: SubmissionErrorProps) {
  switch (failure.code) {
    case "unreachable":
      return (
        <ErrorState
          description="Check your connection and try again: the same request is never carried out twice."
          title="The answer did not arrive"
        />
      );
    case "signed_out":
      return (
        <ErrorState
          description="Nothing was changed. Try again, and you can sign in without leaving this page."
          title="Your session has ended"
        />
      );
    case "proof_required":
      return (
        <ErrorState
          description="Nothing was changed. Try again, and enter your code or password when asked."
          title="Not confirmed"
        />
      );
    case "unavailable":
      return <ErrorState description="What you typed is still here." title={failure.message} />;
    case "internal":
      return (
        <ErrorState
          description="Try again: the same request is never carried out twice."
          requestId={failure.requestId ?? undefined}
          title="Something went wrong on our side"
        />
      );
    case "changed_meanwhile":
      return (
        <ErrorState
          description={
            serverChanges.length === 0 ? (
              "Nothing was done. The page was reloaded: check what it says now, then try again."
            ) : (
              <>
                <p>Nothing was done. What you have typed is still there; save again to set it all the same.</p>
                <dl className="mt-2 flex flex-col gap-1">
                  {serverChanges.map(({ label, value }) => (
                    <div className="flex flex-wrap gap-x-2" key={label}>
                      <dt>{label} now:</dt>
                      <dd className="wrap-anywhere font-medium text-text">{value === "" ? "empty" : value}</dd>
                    </div>
                  ))}
                </dl>
              </>
            )
          }
          title={failure.message}
        />
      );
    case "idempotency_in_progress":
      return (
        <ErrorState
          description="Try again in a moment to see how it ended."
          title="The first attempt is still running"
        />
      );
    case "idempotency_key_reused":
      return (
        <ErrorState
          description="Its answer was lost, and the form has changed since. What it says now was not carried out. The page was reloaded: check what came of the first attempt before you send this as well."
          title="The first attempt may have been carried out"
        />
      );
    case "price_changed":
      return (
        <ErrorState
          description={`${refusalNote ?? ""} The new price is shown: confirm again to accept it.`.trim()}
          title={failure.message}
        />
      );
    case "insufficient_balance":
      return ownWallet && failure.charge?.missing ? (
        <InsufficientBalance
          currency={failure.charge.currency}
          missing={failure.charge.missing}
          note={refusalNote}
          title={failure.message}
        />
      ) : (
        <ErrorState description={refusalNote} title={failure.message} />
      );
    default:
      return <ErrorState description={refusalNote} title={failure.message} />;
  }
}
