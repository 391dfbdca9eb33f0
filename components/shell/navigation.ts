import type { ReactNode } from "react";

export interface NavigationItem {
  readonly href: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** g, then this letter, goes there. */
  readonly shortcutKey?: string;
  /** Has a place in the phone's bottom bar; at most four do. */
  readonly primary?: boolean;
  /** Something waits there. */
  readonly count?: number;
}

/** A page deeper down belongs to the item, too; `/` alone matches exactly. */
export function isCurrent(href: string, pathname: string): boolean {
  return pathname === href || (href !== "/" && pathname.startsWith(`${href}/`));
}

const MOST_SHOWN = 99;

/** Short enough to leave the label its place: "99+" for whatever is more. */
export function countText(count: number): string {
  return count > MOST_SHOWN ? `${MOST_SHOWN}+` : String(count);
}
