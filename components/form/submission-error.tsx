"use client";
import { ErrorState, type ErrorStateProps } from "#components/ui/error-state.tsx";
import { InsufficientBalance } from "#components/wallet/insufficient-balance.tsx";
import type { ActionError } from "#lib/domain/action-result.ts";
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

/** What is said instead of the server's message, or with it. */
const texts: Readonly<Partial<Record<ActionError["code"], Partial<ErrorStateProps>>>> = {
  signed_out: {
    title: "Your session has ended",
    description: "Nothing was changed. Try again, and you can sign in without leaving this page.",
  },
  proof_required: {
    title: "Not confirmed",
    description: "Nothing was changed. Try again, and enter your code or password when asked.",
  },
  page_outdated: {
    title: "License Desk was updated",
    description: "Nothing was done. Copy what you have typed, then reload the page.",
  },
  // The message is all that is known: what "did not happen" may have happened.
  answer_lost: { description: undefined },
  unavailable: { description: "What you typed is still here." },
  internal: {
    title: "Something went wrong on our side",
    description: "Try again: the same request is never carried out twice.",
  },
  changed_meanwhile: {
    description: "Nothing was done. The page was reloaded: check what it says now, then try again.",
  },
  idempotency_in_progress: {
    title: "The first attempt is still running",
    description: "Try again in a moment to see how it ended.",
  },
  idempotency_key_reused: {
    title: "The first attempt may have been carried out",
    description:
      "Its answer was lost, and the form has changed since, so it was not sent again. The page was reloaded: check whether the first attempt succeeded before you submit this form.",
  },
};

/** A failure that belongs to no field: what happened, what did not, and what to do now. */
export function SubmissionError({ failure, refusalNote, serverChanges = [], ownWallet }: SubmissionErrorProps) {
  if (failure.code === "unreachable") {
    return (
      <ErrorState
        description="Check your connection and try again: the same request is never carried out twice."
        title="The answer did not arrive"
      />
    );
  }
  const { code, message, aroundUnchanged, charge, requestId } = failure;
  if (code === "insufficient_balance" && ownWallet && charge?.missing) {
    return (
      <InsufficientBalance currency={charge.currency} missing={charge.missing} note={refusalNote} title={message} />
    );
  }
  if (code === "changed_meanwhile" && serverChanges.length > 0) {
    return <ErrorState description={<ServerChanges changes={serverChanges} />} title={message} />;
  }
  if (refusalNote && aroundUnchanged) {
    return <ErrorState title={`${aroundUnchanged.before} ${refusalNote} ${aroundUnchanged.after}`} />;
  }
  const note =
    code === "price_changed"
      ? `${refusalNote ?? ""} The new price is shown: confirm again to accept it.`.trim()
      : refusalNote;
  const logged = code === "internal" && requestId !== null ? { requestId } : {};
  return <ErrorState description={note} title={message} {...texts[code]} {...logged} />;
}

function ServerChanges({ changes }: { readonly changes: readonly ServerChange[] }) {
  return (
    <>
      <p>Nothing was done, and the form is as you left it. Press again to go ahead all the same.</p>
      <dl className="mt-2 flex flex-col gap-1">
        {changes.map(({ label, value }) => (
          <div className="flex flex-wrap gap-x-2" key={label}>
            <dt>{label} now:</dt>
            <dd className="wrap-anywhere font-medium text-text">{value === "" ? "empty" : value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
