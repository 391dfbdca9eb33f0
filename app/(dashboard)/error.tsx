"use client";
import { Button } from "#components/ui/button.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";

interface ErrorPageProps {
  readonly error: Error & { readonly digest?: string };
  readonly retry: () => void;
}

/** What went wrong is in the log under the digest; here, what to do. */
export default function ErrorPage({ error, retry }: ErrorPageProps) {
  return (
    <>
      <h1 className="sr-only">Something went wrong</h1>
      <ErrorState
        action={
          <Button onClick={retry} size="sm">
            Try again
          </Button>
        }
        description="This page could not be loaded. Nothing was changed or charged by opening it."
        requestId={error.digest}
        title="Something went wrong on our side"
      />
    </>
  );
}
