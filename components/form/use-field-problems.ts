"use client";
import { useMemo } from "react";
import type { FieldProblem } from "#components/ui/error-summary.tsx";
import type { SubmissionFailure } from "./use-submission.ts";

/** "must be a host name" → "Host name must be a host name."; whole sentences stay as they are. */
function sentence(label: string, message: string): string {
  return /^[a-z]/.test(message) ? `${label} ${message}.` : message;
}

/**
 * What is wrong with each field that the form has, in the form's order: the same array until something else fails, so
 * that the summary takes the focus once.
 * @param labels field name → its label; stays the same object
 */
export function useFieldProblems(
  failure: SubmissionFailure | null,
  labels: Readonly<Record<string, string>>,
): readonly FieldProblem[] {
  return useMemo(() => {
    if (failure === null || failure.code === "unreachable") return [];
    const { fields } = failure;
    return Object.entries(labels).flatMap(([field, label]) => {
      const message = fields[field];
      return message === undefined ? [] : [{ field, message: sentence(label, message) }];
    });
  }, [failure, labels]);
}

export function problemOf(problems: readonly FieldProblem[], field: string): string | undefined {
  return problems.find((problem) => problem.field === field)?.message;
}
