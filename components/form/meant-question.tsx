"use client";
import { useEffect, useRef } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import type { Meant } from "./use-meant.ts";

export interface MeantQuestionProps extends Omit<Meant, "asked" | "answerFor"> {
  /** Of the answer. */
  readonly name: string;
  /** Names the field for assistive technology. */
  readonly label: string;
  /** What is asked about as the form shows it; null while there is nothing to ask. */
  readonly subject: string | null;
  readonly hint?: string;
}

/** Asks whether something unusual is meant, below its field: a question, no error. Takes the focus when it appears. */
export function MeantQuestion({ name, label, subject, question, hint, meant, setMeant }: MeantQuestionProps) {
  const ref = useRef<HTMLInputElement>(null);
  const isAsked = subject !== null;
  useEffect(() => {
    if (isAsked) ref.current?.focus();
  }, [isAsked]);
  return (
    <div className="empty:hidden" data-field={name} data-label={label} data-question="">
      {isAsked && (
        <div className="rounded-md border border-caution/30 bg-caution-soft px-3 py-2" role="alert">
          {question !== null && <p className="mb-1 font-medium text-sm">{question}</p>}
          <Checkbox
            checked={meant}
            hint={hint}
            label={`Yes, ${subject} is intended`}
            name={name}
            onChange={(event) => setMeant(event.target.checked)}
            ref={ref}
          />
        </div>
      )}
    </div>
  );
}
