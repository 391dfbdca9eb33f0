/** What messages are made of. */
import type { MailBlock } from "./render.ts";

export function text(text: string): MailBlock {
  return { kind: "text", text };
}

export function lines<Item>(items: readonly Item[], count: number, describe: (item: Item) => string): MailBlock {
  const more = count - items.length;
  return { kind: "lines", lines: [...items.map(describe), ...(more > 0 ? [`and ${more} more`] : [])] };
}

/** "2027-03-10 12:00 UTC" */
export function minuteText(at: string): string {
  return `${at.slice(0, 16).replace("T", " ")} UTC`;
}

export function money(amount: string, currency: string): string {
  // Decimal text keeps its precision.
  return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(amount as `${number}`);
}

export function link(label: string, url: string | null): MailBlock {
  return { kind: "link", label, url };
}

export function facts(...facts: readonly (readonly [label: string, value: string])[]): MailBlock {
  return { kind: "facts", facts };
}
