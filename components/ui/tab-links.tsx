"use client";
import { usePathname } from "next/navigation";
import { cx } from "./cx.ts";
import { Link } from "./link.tsx";

export const tabListClassName = "flex gap-4 overflow-x-auto border-b";

export function tabClassName(current: boolean): string {
  return cx(
    "-mb-px flex h-9 shrink-0 items-center border-b-2 px-0.5 text-sm transition-colors focus-visible:-outline-offset-2 pointer-coarse:h-11",
    current ? "border-accent-text font-medium text-text" : "border-transparent text-text-muted hover:text-text",
  );
}

export interface TabLinksProps {
  /** Accessible name of the navigation. */
  readonly label: string;
  readonly tabs: readonly { readonly href: string; readonly label: string }[];
}

/** Where the tabs are wider than the screen, the current one is in the middle; the page itself does not move. */
function showInRow(tab: HTMLElement | null): void {
  const row = tab?.parentElement;
  if (!row) return;
  const place = tab.getBoundingClientRect();
  const frame = row.getBoundingClientRect();
  row.scrollLeft += place.left + place.width / 2 - (frame.left + frame.width / 2);
}

/** Views with their own address, between the header of their page and the rest of it. */
export function TabLinks({ label, tabs }: TabLinksProps) {
  const pathname = usePathname();
  return (
    <nav aria-label={label} className={cx("-mt-2 mb-4", tabListClassName)}>
      {tabs.map((tab) => (
        <Link
          aria-current={tab.href === pathname ? "page" : undefined}
          className={tabClassName(tab.href === pathname)}
          href={tab.href}
          key={tab.href}
          ref={tab.href === pathname ? showInRow : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
