"use client";
import { createContext, type RefObject, useRef, useState } from "react";
import type { FieldProblem } from "#components/ui/field-problems.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { problemSentence } from "#lib/domain/text.ts";
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
  /** Something was typed or chosen: the control's problem goes. */
  readonly noteInput: (control: Node) => void;
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

type Texts = Readonly<Record<string, string>>;

/**
 * @param action with the version that the page was read at, where other users change the record, too. The form sends the
 *   one that its user saw: a colleague's change that a refresh of the page brings under a form does not pass for seen.
 * @param onSuccess returns true when the page is about to be left: the form then stays busy until it is gone
 * @param stored what the form shows of that record, field name or label → text; another version of the same is seen, too
 */
export function useForm<Input, Value>(
  action: OnceAction<Input, Value>,
  // biome-ignore lint/suspicious/noConfusingVoidType: most callers return nothing
  onSuccess: (value: Value, form: HTMLFormElement | null) => boolean | void,
  stored?: Texts,
): FormState<Input> {
  const ref = useRef<HTMLFormElement>(null);
  const present = { action, stored };
  /** What the page showed when the user began; null after a save or a rejection, until the next input. */
  const [first, setFirst] = useState<typeof present | null>(present);
  const seen = first === null || isSame(first.stored, stored) ? present : first;
  /** What was shown when the form was last sent. */
  const [sentOver, setSentOver] = useState(stored);
  const [sent, setSent] = useState<Readonly<Record<string, unknown>>>({});
  const [{ labels, found, problems }, setFound] = useState(nothingFound);
  function succeed(value: Value) {
    setFirst(null);
    return onSuccess(value, ref.current);
  }
  const { failure, send, reset, ...submission } = useSubmission(seen.action, succeed, {
    onFailure(failed) {
      if (failed.code === "changed_meanwhile") setFirst(null);
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
    serverChanges: failure?.code === "changed_meanwhile" ? findChanges(sentOver, stored, labels) : [],
    send: (input) => {
      setSentOver(seen.stored);
      setSent({ ...(input as object) });
      return send(input);
    },
    reset() {
      setFirst(null);
      reset();
    },
    noteInput(control) {
      setFirst((known) => known ?? present);
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
    return message === undefined ? [] : [{ field, message: problemSentence(text, message), isQuestion }];
  });
}

/** Always true for a form that shows nothing stored: it follows the page. */
function isSame(seen: Texts | undefined, stored: Texts | undefined): boolean {
  return JSON.stringify(seen) === JSON.stringify(stored);
}

function findChanges(seen: Texts = {}, stored: Texts = {}, labels: Labels): readonly ServerChange[] {
  return Object.entries(stored).flatMap(([field, value]) =>
    value === seen[field] ? [] : [{ label: labels.get(field)?.text ?? field, value }],
  );
}
