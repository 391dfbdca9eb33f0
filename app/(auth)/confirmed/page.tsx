import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { failures, findFailure } from "#components/auth/sign-in-failures.ts";
import { ErrorState } from "#components/ui/error-state.tsx";

export const metadata: Metadata = { title: "Sign-in" };

/** The end of signing in at the issuer in a tab of its own. */
export default async function ConfirmedPage({ searchParams }: { readonly searchParams: Promise<SearchParams> }) {
  const failure = findFailure((await searchParams).failed);
  return (
    <>
      <h1 className="text-center font-semibold text-xl tracking-tight">
        {failure ? "You are not confirmed" : "You are confirmed"}
      </h1>
      {failure && <ErrorState {...failures[failure]} />}
      <p className="text-center text-text-muted">Close this tab to continue where you were.</p>
    </>
  );
}
