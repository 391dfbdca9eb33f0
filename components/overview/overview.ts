import type { BadgeTone } from "#components/ui/badge.tsx";

/** Something that somebody must look at, with what can be done about it. */
export interface Alert {
  readonly id: string;
  readonly tone: "critical" | "caution" | "info";
  readonly title: string;
  readonly detail: string;
  readonly action: string;
  readonly href: string;
}

/** `filter`: the list of exactly these. */
export interface LicenseFigure {
  readonly label: string;
  readonly count: number;
  readonly href: string;
}

/** Minor units, as decimal text. */
export interface SpendMonth {
  /** ISO 8601, its first instant in UTC. */
  readonly month: string;
  /** Of the products in the order of `SpendView.products`. */
  readonly amounts: readonly string[];
  readonly total: string;
}

export interface SpendView {
  readonly currency: string;
  /** The ones that cost the most, then all others as one. */
  readonly products: readonly string[];
  readonly months: readonly SpendMonth[];
}

export interface HealthLine {
  readonly id: string;
  readonly name: string;
  readonly href: string | null;
  readonly tone: BadgeTone;
  readonly state: string;
  readonly detail: string;
}

export interface ActivityLine {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly title: string;
  readonly detail: string | null;
  readonly subject: { readonly name: string; readonly href: string } | null;
}
