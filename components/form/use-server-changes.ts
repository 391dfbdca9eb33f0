"use client";
import { useState } from "react";
import type { SubmissionFailure } from "./use-submission.ts";

/** A field that somebody else has changed, and what it says by now. */
export interface ServerChange {
  readonly label: string;
  readonly value: string;
}

/**
 * For forms over something that others change too: when somebody else was first, what is not any more as it was when the
 * form was sent. What is typed stays typed.
 * @param shown what is stored now, field name → text
 * @param labels field name → its label
 */
export function useServerChanges(
  failure: SubmissionFailure | null,
  shown: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): { readonly serverChanges: readonly ServerChange[]; readonly beforeSending: () => void } {
  const [seen, setSeen] = useState(shown);
  const serverChanges =
    failure?.code === "changed_meanwhile"
      ? Object.entries(shown).flatMap(([field, value]) =>
          value === seen[field] ? [] : [{ label: labels[field] ?? field, value }],
        )
      : [];
  return { serverChanges, beforeSending: () => setSeen(shown) };
}
