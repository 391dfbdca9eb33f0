/** What needs attention, and what to do about it. */
export interface Alert {
  readonly id: string;
  readonly tone: "critical" | "caution" | "info";
  readonly title: string;
  readonly detail: string;
  readonly action: string;
  readonly href: string;
}
