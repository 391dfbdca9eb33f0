"use client";
import { useContext, useEffect, useRef, useState } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { AskingForm } from "./use-form.ts";

export interface MeantQuestionProps {
  /** Of the answer, which is the text that is meant; empty until that is confirmed. */
  readonly name: string;
  /** The field that it is about. */
  readonly about: string;
  /** Its text, where the form has no such field. */
  readonly text?: string;
  /** Names the answer for assistive technology. */
  readonly label: string;
  /** The text as the form shows it; null: there is nothing to ask about it. */
  readonly show?: (text: string) => string | null;
  readonly hint?: string;
}

/**
 * The server's question whether something unusual is meant, such as a private address, below its field: a question, no
 * error. The answer holds for that text alone. Takes the focus when it appears.
 */
export function MeantQuestion({ name, about, text, label, show = (text) => text, hint }: MeantQuestionProps) {
  const form = useContext(AskingForm);
  const [confirmed, setConfirmed] = useState("");
  const ref = useRef<HTMLInputElement>(null);
  const failure = form?.failure ?? null;
  const question = failure === null || failure.code === "unreachable" ? null : (failure.fields[name] ?? null);
  const sent = text ?? form?.sentText(about) ?? "";
  const meant = sent !== "" && confirmed === sent;
  const subject = question !== null || meant ? show(sent) : null;
  const isAsked = subject !== null;
  useEffect(() => {
    if (isAsked) ref.current?.focus();
  }, [isAsked]);
  return (
    <div className={isAsked ? undefined : "hidden"} data-field={name} data-label={label} data-question="">
      <input name={name} type="hidden" value={confirmed} />
      {isAsked && (
        <div className="rounded-md border border-caution/30 bg-caution-soft px-3 py-2" role="alert">
          {question !== null && <p className="mb-1 font-medium text-sm">{question}</p>}
          <Checkbox
            checked={meant}
            hint={hint}
            label={`Yes, ${subject} is intended`}
            onChange={(event) => setConfirmed(event.target.checked ? sent : "")}
            ref={ref}
          />
        </div>
      )}
    </div>
  );
}
