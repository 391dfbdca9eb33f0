"use client";
import { keepPreviousData, type QueryKey, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { sendSignedIn } from "#components/form/send-signed-in.ts";
import { type FormState, useForm } from "#components/form/use-form.ts";
import type { SubmissionFailure } from "#components/form/use-submission.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { clearSelection, type SelectionNoun } from "./selection-store.ts";

export interface JobStart<Input, Quote> {
  readonly form: FormState<Input>;
  /** Null until it is known, and after a failure. */
  readonly quote: Quote | null;
  /** The quote is not, or no longer, of what is asked. */
  readonly pending: boolean;
  readonly failure: SubmissionFailure | null;
}

/** Asks what a job would do, starts it, and leads to its page. A start that the quote was outdated for asks again. */
export function useJobStart<Request, Quote, Input>(
  { noun, name, request }: { readonly noun: SelectionNoun; readonly name: string; readonly request: Request },
  quote: OnceAction<Request, Quote>,
  start: OnceAction<Input, { readonly href: string }>,
): JobStart<Input, Quote> {
  const router = useRouter();
  const queryKey: QueryKey = ["bulk-quote", noun, name, request];
  const quoted = useQuery({
    queryKey,
    queryFn: () => sendSignedIn(quote, request),
    gcTime: 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const startedRef = useRef(false);
  const form = useForm(start, ({ href }) => {
    startedRef.current = true;
    router.push(href);
    return true;
  });
  // When the page is left, not before: the dialog stays busy until then.
  useEffect(
    () => () => {
      if (startedRef.current) clearSelection(noun);
    },
    [noun],
  );
  const { refetch } = quoted;
  const { failure } = form;
  useEffect(() => {
    if (failure?.code === "conflict" || failure?.code === "price_changed") void refetch();
  }, [failure, refetch]);
  const answer = quoted.data;
  const failed = quoted.isError || answer === null ? ({ code: "unreachable" } as const) : null;
  return {
    form,
    quote: answer?.ok ? answer.value : null,
    pending: quoted.isPending || quoted.isPlaceholderData,
    failure: answer?.ok === false ? answer.error : failed,
  };
}
