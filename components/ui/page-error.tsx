"use client";
import { Button } from "./button.tsx";
import { ErrorState } from "./error-state.tsx";
import { HiddenTitle } from "./page-title.tsx";

/** What Next gives a page for errors. */
export interface PageErrorProps {
  readonly error: Error & { readonly digest?: string };
  readonly retry: () => void;
}

/** In place of a page that failed. What went wrong is in the log under the digest; here, what to do. */
export function PageError({ error, retry }: PageErrorProps) {
  return (
    <>
      <HiddenTitle>Something went wrong</HiddenTitle>
      <ErrorState
        action={
          <Button onClick={retry} size="sm">
            Try again
          </Button>
        }
        description="This page could not be loaded. Nothing was changed or charged by opening it."
        errorId={error.digest}
        title="Something went wrong on our side"
      />
    </>
  );
}
