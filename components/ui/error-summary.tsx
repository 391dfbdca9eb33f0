"use client";
import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import type { FieldProblem } from "./field-problems.ts";

/**
 * First thing inside a `<form>`: takes the focus when problems arrive, says how many there are, and leads to each
 * control by its name. Renders nothing while there are none.
 * @param problems the same objects as long as they stay
 */
export function ErrorSummary({ problems }: { readonly problems: readonly FieldProblem[] }) {
  const ref = useRef<HTMLDivElement>(null);
  const seenRef = useRef<readonly FieldProblem[]>([]);

  useEffect(() => {
    const seen = seenRef.current;
    seenRef.current = problems;
    // Those that stay when one is solved are no news: the person goes on typing.
    if (problems.some((problem) => !seen.includes(problem))) ref.current?.focus();
  }, [problems]);

  if (problems.length === 0) return null;
  return (
    <div
      aria-relevant="additions"
      className="rounded-md border border-critical/40 bg-critical-soft p-3 text-sm"
      ref={ref}
      role="alert"
      tabIndex={-1}
    >
      <p className="flex items-center gap-2 font-medium text-critical">
        <CircleAlert className="size-4" />
        {problems.length === 1 ? "There is a problem" : `There are ${problems.length} problems`}
      </p>
      <ul className="mt-1 flex flex-col items-start gap-0.5 pl-6">
        {problems.map(({ field, message }) => (
          <li key={field}>
            <button
              className="min-h-6 text-left text-text underline underline-offset-2"
              onClick={() => focusControl(ref.current?.closest("form"), field)}
              type="button"
            >
              {message}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function focusControl(form: HTMLFormElement | null | undefined, field: string): void {
  const control = form?.elements.namedItem(field);
  const target = control instanceof RadioNodeList ? control[0] : control;
  if (target instanceof HTMLElement) target.focus();
}
