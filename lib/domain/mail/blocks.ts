/** What messages are made of. */
import { type Currency, minorDigits } from "#lib/domain/money.ts";
import type { MailBlock } from "./render.ts";

export function text(text: string): MailBlock {
  return { kind: "text", text };
}

function heading(text: string): MailBlock {
  return { kind: "heading", text };
}

export function lines<Item>(items: readonly Item[], count: number, describe: (item: Item) => string): MailBlock {
  const more = count - items.length;
  return { kind: "lines", lines: [...items.map(describe), ...(more > 0 ? [`and ${more} more`] : [])] };
}

const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const time = new Intl.DateTimeFormat("en-US", { timeStyle: "short", timeZone: "UTC" });
const minute = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** "Mar 10, 2027 UTC" */
export function dayText(at: string): string {
  return `${day.format(new Date(at))} UTC`;
}

/** "12:00 PM UTC" */
export function timeText(at: string): string {
  return `${time.format(new Date(at))} UTC`;
}

/** "Mar 10, 2027, 12:00 PM UTC" */
export function minuteText(at: string): string {
  return `${minute.format(new Date(at))} UTC`;
}

export function money(amount: string, currency: string): string {
  // Intl rounds some currencies to fewer decimals than their smallest unit; decimal text keeps its precision.
  const digits = minorDigits(currency as Currency);
  const format = { style: "currency", currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat("en-US", format).format(amount as `${number}`);
}

export function link(label: string, url: string): MailBlock {
  return { kind: "link", label, url, isSpelledOut: false };
}

/** Also shown as text, to be copied to another browser. `url` null: hidden from who reads it in the outbox. */
export function spelledOutLink(label: string, url: string | null): MailBlock {
  return { kind: "link", label, url, isSpelledOut: true };
}

export function facts(...facts: readonly (readonly [label: string, value: string])[]): MailBlock {
  return { kind: "facts", facts };
}

/** A heading and its lines for each group, in the order of its first item. `headingOf` gets the size of the group. */
export function inGroups<Item>(
  { count, items }: { readonly count: number; readonly items: readonly Item[] },
  headingOf: (item: Item, size: number) => string,
  describe: (item: Item) => string,
): MailBlock[] {
  const groups = [...Map.groupBy(items, (item) => headingOf(item, items.length)).values()].flatMap((ofGroup) => [
    ...ofGroup.slice(0, 1).map((first) => heading(headingOf(first, ofGroup.length))),
    lines(ofGroup, ofGroup.length, describe),
  ]);
  return count > items.length ? [...groups, text(`and ${count - items.length} more`)] : groups;
}
