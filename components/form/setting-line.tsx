"use client";
import { type ReactNode, useEffect, useState } from "react";
import { Disclosure } from "#components/ui/disclosure.tsx";

export interface SettingLineProps {
  /** The region's name. */
  readonly name: string;
  /** What is stored now, in a few words. */
  readonly value: string;
  /** A link to `#id` unfolds it. */
  readonly id?: string;
  /** Unfolded from the start. */
  readonly open?: boolean;
  /** Its form. Nothing: the value is only read. */
  readonly children?: ReactNode;
}

/** A setting that is rarely changed, in a list of such: its name and value, which unfold its form. */
export function SettingLine({ name, value, id, open: initiallyOpen = false, children }: SettingLineProps) {
  const [open, setOpen] = useState(initiallyOpen);
  useEffect(() => {
    if (id !== undefined && window.location.hash === `#${id}`) setOpen(true);
  }, [id]);
  const summary = (
    <span className="flex flex-wrap gap-x-3">
      <span className="min-w-10 font-medium text-text">{name}</span>
      <span className="tabular">{value}</span>
    </span>
  );
  return (
    <section aria-label={name} className="px-4 py-2.5" id={id}>
      {children ? (
        <Disclosure onToggle={setOpen} open={open} summary={summary}>
          <div className="my-3 max-w-2xl sm:ml-4.5">{children}</div>
        </Disclosure>
      ) : (
        <div className="py-0.5 text-sm text-text-muted">{summary}</div>
      )}
    </section>
  );
}
