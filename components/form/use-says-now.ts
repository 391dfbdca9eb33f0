"use client";
import { useState } from "react";
import type { SubmissionFailure } from "./use-submission.ts";

/** A field that somebody else has changed, and what it says by now. */
export interface SaysNow {
  readonly label: string;
  readonly value: string;
}

/**
 * For forms over something that others change too: when somebody else was first, what is not any more as it was when the
 * form was sent. What is typed stays typed.
 * @param shown what is stored now, field name → text
 * @param labels field name → its label
 */
export function useSaysNow(
  failure: SubmissionFailure | null,
  shown: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): { readonly saysNow: readonly SaysNow[]; readonly beforeSending: () => void } {
  const [seen, setSeen] = useState(shown);
  const saysNow =
    failure?.code === "changed_meanwhile"
      ? Object.entries(shown).flatMap(([field, value]) =>
          value === seen[field] ? [] : [{ label: labels[field] ?? field, value }],
        )
      : [];
  return { saysNow, beforeSending: () => setSeen(shown) };
}
