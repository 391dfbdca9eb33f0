"use client";
import { useState } from "react";
import type { SubmissionFailure } from "./use-submission.ts";

export interface Meant {
  /** What to ask about; null while there is nothing to ask. */
  readonly asked: string | null;
  /** In the server's words; null once it is answered. */
  readonly question: string | null;
  readonly meant: boolean;
  readonly setMeant: (meant: boolean) => void;
  /** For the form to send with this text: the text again where it is meant. */
  readonly answerFor: (text: string) => string;
}

/**
 * The server's question whether something unusual is meant, such as a private address. The answer holds for that text
 * alone.
 * @param field of the answer
 */
export function useMeant(failure: SubmissionFailure | null, field: string): Meant {
  const [sent, setSent] = useState("");
  const [confirmed, setConfirmed] = useState("");
  const question = failure === null || failure.code === "unreachable" ? null : (failure.fields[field] ?? null);
  const meant = sent !== "" && confirmed === sent;
  return {
    asked: question !== null || meant ? sent : null,
    question,
    meant,
    setMeant: (value) => setConfirmed(value ? sent : ""),
    answerFor(text) {
      const trimmed = text.trim();
      setSent(trimmed);
      return confirmed === trimmed ? confirmed : "";
    },
  };
}
