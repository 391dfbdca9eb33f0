"use client";
import { useEffect, useMemo, useState } from "react";
import type { FieldProblem } from "#components/ui/error-summary.tsx";
import type { SubmissionFailure } from "./use-submission.ts";

export interface FieldProblems {
  /** In the form's order; one goes as soon as its field is changed, because it was about what the field held before. */
  readonly problems: readonly FieldProblem[];
  /** The failure, when it belongs to no field of the form. */
  readonly refusal: SubmissionFailure | null;
}

/** "must be a host name" → "Host name must be a host name."; whole sentences stay as they are. */
function sentence(label: string, message: string): string {
  return /^[a-z]/.test(message) ? `${label} ${message}.` : message;
}

/**
 * What is wrong with each field that the form has: the same objects until something else fails, so that the summary
 * takes the focus once.
 * @param labels field name, which is its control's → its label; stays the same object
 */
export function useFieldProblems(
  failure: SubmissionFailure | null,
  labels: Readonly<Record<string, string>>,
): FieldProblems {
  const found = useMemo(() => problemsOf(failure, labels), [failure, labels]);
  const changed = useChangedFields(found);
  return {
    problems: found.filter(({ field }) => !changed.has(field)),
    refusal: found.length === 0 ? failure : null,
  };
}

function problemsOf(
  failure: SubmissionFailure | null,
  labels: Readonly<Record<string, string>>,
): readonly FieldProblem[] {
  if (failure === null || failure.code === "unreachable") return [];
  const { fields } = failure;
  return Object.entries(labels).flatMap(([field, label]) => {
    const message = fields[field];
    return message === undefined ? [] : [{ field, message: sentence(label, message) }];
  });
}

const NONE: ReadonlySet<string> = new Set();

/** Names of the fields that have been changed since these problems were found. */
function useChangedFields(found: readonly FieldProblem[]): ReadonlySet<string> {
  const [changed, setChanged] = useState({ since: found, fields: NONE });
  useEffect(() => {
    if (found.length === 0) return;
    // The form that was sent still has the focus; another on the page may have a field of the same name.
    const form = document.activeElement?.closest("dialog, form") ?? document;
    function onInput({ target }: Event) {
      if (!(target instanceof Element) || !form.contains(target)) return;
      // A field of several controls says itself what it is called.
      const group = target.closest("[data-field]")?.getAttribute("data-field");
      const name = group ?? target.getAttribute("name") ?? "";
      setChanged(({ since, fields }) => ({
        since: found,
        fields: new Set(since === found ? [...fields, name] : [name]),
      }));
    }
    // After React, whose own listener is further in: rendering before it would take back what was typed.
    window.addEventListener("input", onInput);
    return () => window.removeEventListener("input", onInput);
  }, [found]);
  return changed.since === found ? changed.fields : NONE;
}

export function problemOf(problems: readonly FieldProblem[], field: string): string | undefined {
  return problems.find((problem) => problem.field === field)?.message;
}
