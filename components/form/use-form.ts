"use client";
import { createContext, type RefObject, useRef, useState } from "react";
import type { FieldProblem } from "#components/ui/field-problems.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { type Submission, type SubmissionFailure, useSubmission } from "./use-submission.ts";

/** A field that another user has changed, and its present text. */
export interface ServerChange {
  readonly label: string;
  readonly value: string;
}

/** One form: its submission, and the failure by field. Rendered by `FormFrame` or one of the components built on it. */
export interface FormState<Input> extends Submission<Input> {
  readonly ref: RefObject<HTMLFormElement | null>;
  /** In the form's order; each goes as soon as its field is changed. */
  readonly problems: readonly FieldProblem[];
  /** The form has several fields: it names their problems together. */
  readonly hasSummary: boolean;
  /** The failure, when it belongs to no field of the form. */
  readonly refusal: SubmissionFailure | null;
  /** With `changed_meanwhile`. */
  readonly serverChanges: readonly ServerChange[];
  readonly clearProblemOf: (control: Node) => void;
  /** A field's text as it was last sent, without spaces around it; empty before. */
  readonly sentText: (field: string) => string;
}

/** The form around a field that asks something about another one. */
export const AskingForm = createContext<Pick<FormState<never>, "failure" | "sentText"> | null>(null);

interface Label {
  readonly text: string;
  readonly isQuestion: boolean;
}

type Labels = ReadonlyMap<string, Label>;

const nothingFound: {
  readonly labels: Labels;
  readonly found: readonly FieldProblem[];
  readonly problems: readonly FieldProblem[];
} = { labels: new Map(), found: [], problems: [] };

/**
 * @param onSuccess returns true when the page is about to be left: the form then stays busy until it is gone
 * @param stored what is stored now, field name → text, where other users change it, too
 */
export function useForm<Input, Value>(
  action: OnceAction<Input, Value>,
  // biome-ignore lint/suspicious/noConfusingVoidType: most callers return nothing
  onSuccess: (value: Value, form: HTMLFormElement | null) => boolean | void,
  stored: Readonly<Record<string, string>> = {},
): FormState<Input> {
  const ref = useRef<HTMLFormElement>(null);
  const [seen, setSeen] = useState(stored);
  const [sent, setSent] = useState<Readonly<Record<string, unknown>>>({});
  const [{ labels, found, problems }, setFound] = useState(nothingFound);
  const { failure, send, ...submission } = useSubmission(action, (value) => onSuccess(value, ref.current), {
    onFailure(failed) {
      const labels = readLabels(ref.current);
      const found = findProblems(failed, labels);
      setFound({ labels, found, problems: found });
    },
  });
  return {
    ...submission,
    ref,
    failure,
    problems: failure === null ? nothingFound.problems : problems,
    hasSummary: labels.size > 1,
    refusal: found.length === 0 ? failure : null,
    serverChanges: failure?.code === "changed_meanwhile" ? findChanges(seen, stored, labels) : [],
    send: (input) => {
      setSeen(stored);
      setSent({ ...(input as object) });
      return send(input);
    },
    clearProblemOf(control) {
      const left = problems.filter(({ field }) => !elementOf(ref.current, field)?.contains(control));
      if (left.length < problems.length) setFound({ labels, found, problems: left });
    },
    sentText: (field) => String(sent[field] ?? "").trim(),
  };
}

/** Field name → label, of the fields shown now. */
function readLabels(form: HTMLFormElement | null): Labels {
  const fields = form?.querySelectorAll<HTMLElement>("[data-label]") ?? [];
  return new Map(
    [...fields].map(({ dataset: { field = "", label = "", question } }) => [
      field,
      { text: label, isQuestion: question !== undefined },
    ]),
  );
}

function elementOf(form: HTMLFormElement | null, field: string): Element | null {
  return form?.querySelector(`[data-field="${field}"]`) ?? null;
}

function findProblems(failure: SubmissionFailure, labels: Labels): readonly FieldProblem[] {
  if (failure.code === "unreachable") return [];
  return [...labels].flatMap(([field, { text, isQuestion }]) => {
    const message = failure.fields[field];
    return message === undefined ? [] : [{ field, message: sentence(text, message), isQuestion }];
  });
}

/** "must be a host name" → "Host name must be a host name."; whole sentences stay as they are. */
function sentence(label: string, message: string): string {
  return /^[a-z]/.test(message) ? `${label} ${message}.` : message;
}

function findChanges(
  seen: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
  labels: Labels,
): readonly ServerChange[] {
  return Object.entries(stored).flatMap(([field, value]) =>
    value === seen[field] ? [] : [{ label: labels.get(field)?.text ?? field, value }],
  );
}
