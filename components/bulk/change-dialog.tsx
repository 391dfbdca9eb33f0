"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { ConfirmForm } from "#components/form/confirm-form.tsx";
import { sendSignedIn } from "#components/form/send-signed-in.ts";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useForm } from "#components/form/use-form.ts";
import type { SubmissionFailure } from "#components/form/use-submission.ts";
import { ErrorState } from "#components/ui/error-state.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { countText } from "./bulk-job.ts";
import { changeTexts } from "./change-text.ts";
import {
  type ChangeQuote,
  type ChangeRequest,
  type OfferedChange,
  offeredChanges,
  type StartRequest,
  sentSelection,
} from "./license-change.ts";
import { QuoteSummary } from "./quote-summary.tsx";
import { clearSelection, type Selection, type SelectionNoun, selectedCount } from "./selection-store.ts";

export interface ChangeDialogProps {
  readonly noun: SelectionNoun;
  readonly offered: OfferedChange;
  readonly selection: Selection;
  readonly quote: OnceAction<ChangeRequest, ChangeQuote>;
  readonly start: OnceAction<StartRequest, { readonly href: string }>;
  readonly onClose: () => void;
}

/** Says what a change of many would do and cost before it is started. */
export function ChangeDialog({ noun, offered, selection, quote, start, onClose }: ChangeDialogProps) {
  const router = useRouter();
  const request = { selection: sentSelection(selection), ...offeredChanges[offered].change };
  const quoted = useQuery({
    queryKey: ["bulk-quote", noun, request],
    queryFn: () => sendSignedIn(quote, request),
    gcTime: 0,
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
  const numbers = answer?.ok ? answer.value : null;
  const texts = changeTexts[offered];
  const { field } = texts;
  const selected = selectedCount(selection);
  const leaves = numbers !== null && numbers.count > 0 && numbers.count < selected;
  const what = `${leaves ? `${numbers.count.toLocaleString("en-US")} of ` : ""}${countText(noun, selected)}`;
  const nothingPaid = offered === "renew" && numbers?.affordable.count === 0;

  return (
    <ConfirmForm
      confirmDisabled={numbers === null || numbers.count === 0 || nothingPaid}
      confirmLabel={numbers === null ? offeredChanges[offered].label : texts.confirm(numbers)}
      description={texts.description(selected === 1)}
      form={form}
      input={(textOf) => ({
        ...request,
        ...(field && { [field.name]: textOf(field.name) }),
        ...(numbers && { agreed: { count: numbers.count, total: numbers.total } }),
      })}
      onClose={onClose}
      refusalNote="Nothing was started. The numbers above are as of now."
      size="md"
      title={texts.title(what)}
      tone={offered === "suspend" || offered === "terminate" ? "critical" : "default"}
    >
      {field?.name === "typed_count" && numbers !== null && (
        <TextField
          autoComplete="off"
          inputMode="numeric"
          label={`Type ${numbers.count} to confirm`}
          name={field.name}
          ref={focus}
        />
      )}
      {field && field.name !== "typed_count" && (
        <TextareaField
          data-autofocus
          label={field.label}
          name={field.name}
          optional={field.optional}
          placeholder={field.placeholder}
          rows={2}
        />
      )}
      {numbers !== null && <QuoteSummary offered={offered} quote={numbers} />}
      {quoted.isPending && <QuoteSkeleton />}
      {(quoted.isError || answer === null || answer?.ok === false) && (
        <QuoteFailure failure={answer?.ok === false ? answer.error : { code: "unreachable" }} />
      )}
    </ConfirmForm>
  );
}

/** Comes with the quote, after the dialog. */
function focus(input: HTMLInputElement | null): void {
  input?.focus();
}

/** What is too much at once is the caller's to change; the rest reads like any other failure. */
function QuoteFailure({ failure }: { readonly failure: SubmissionFailure }) {
  if (failure.code === "state_invalid") return <ErrorState title={failure.message} />;
  return <SubmissionError failure={failure} />;
}

function QuoteSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Working out what this does and costs</span>
      <div className="flex flex-col gap-2.5 rounded-md bg-surface-sunken px-3 py-3">
        <Skeleton className="w-2/3" />
        <Skeleton className="w-1/2" />
        <Skeleton className="w-3/5" />
      </div>
    </div>
  );
}
