"use client";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { tabClassName, tabListClassName } from "./tab-links.tsx";

export interface TabsProps {
  /** Accessible name of the set. */
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly label: string; readonly content: ReactNode }[];
}

/** Views inside one page; arrows, Home and End move and choose. For views with their own address, use TabLinks. */
export function Tabs({ label, tabs }: TabsProps) {
  const prefix = useId();
  const [chosen, setChosen] = useState(tabs[0]?.id);
  const current = tabs.find((tab) => tab.id === chosen) ?? tabs[0];

  function onKeyDown(event: KeyboardEvent) {
    const index = tabs.findIndex((tab) => tab.id === current?.id);
    const next = {
      ArrowRight: tabs[(index + 1) % tabs.length],
      ArrowLeft: tabs.at(index - 1),
      Home: tabs[0],
      End: tabs.at(-1),
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next.id);
    document.getElementById(`${prefix}-${next.id}`)?.focus();
  }

  return (
    <div>
      <div aria-label={label} className={tabListClassName} onKeyDown={onKeyDown} role="tablist">
        {tabs.map((tab) => (
          <button
            aria-controls={tab.id === current?.id ? `${prefix}-panel` : undefined}
            aria-selected={tab.id === current?.id}
            className={tabClassName(tab.id === current?.id)}
            id={`${prefix}-${tab.id}`}
            key={tab.id}
            onClick={() => setChosen(tab.id)}
            role="tab"
            tabIndex={tab.id === current?.id ? 0 : -1}
            type="button"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        aria-labelledby={`${prefix}-${current?.id}`}
        className="pt-4"
        id={`${prefix}-panel`}
        role="tabpanel"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without controls must be reachable to be scrolled
        tabIndex={0}
      >
        {current?.content}
      </div>
    </div>
  );
}
