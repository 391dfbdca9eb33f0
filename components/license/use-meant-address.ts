"use client";
import { useState } from "react";
import type { SubmissionFailure } from "#components/form/use-submission.ts";

export interface MeantAddress {
  /** The private address to ask about; null while there is nothing to ask. */
  readonly asked: string | null;
  readonly meant: boolean;
  readonly setMeant: (meant: boolean) => void;
  /** For the form to send with this address: the address again where it is meant. */
  readonly answerFor: (address: string) => string;
}

/** The server's question whether a private address is meant; the answer holds for that address alone. */
export function useMeantAddress(failure: SubmissionFailure | null): MeantAddress {
  const [sent, setSent] = useState("");
  const [confirmed, setConfirmed] = useState("");
  const isAsked = failure !== null && failure.code !== "unreachable" && failure.fields.meant_address !== undefined;
  const meant = sent !== "" && confirmed === sent;
  return {
    asked: isAsked || meant ? sent : null,
    meant,
    setMeant: (value) => setConfirmed(value ? sent : ""),
    answerFor(address) {
      const trimmed = address.trim();
      setSent(trimmed);
      return confirmed === trimmed ? confirmed : "";
    },
  };
}
