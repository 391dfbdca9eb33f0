import { TextLink } from "#components/ui/text-link.tsx";
import { useSignInHref } from "./use-sign-in-href.ts";
import type { SubmissionFailure } from "./use-submission.ts";

/** A failure beside a button that has no form: in one line, with what to do now. */
export function FailureLine({ failure }: { readonly failure: SubmissionFailure }) {
  const signInHref = useSignInHref();
  return (
    <span className="self-center text-critical text-sm" role="alert">
      {failure.code === "signed_out" ? (
        <>
          Your session has ended.{" "}
          <TextLink href={signInHref} prefetch={false}>
            Sign in
          </TextLink>
        </>
      ) : failure.code === "unreachable" ? (
        "The answer did not arrive. Try again."
      ) : (
        failure.message
      )}
    </span>
  );
}
