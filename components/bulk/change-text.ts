import { moneyText } from "#components/ui/money-text.ts";
import { numberText } from "#lib/domain/count-text.ts";
import type { ChangeQuote, OfferedChange } from "./license-change.ts";

export interface ChangeText {
  /** `what`: e.g. "3 licenses", or "3 of 4 licenses" where some are left out. */
  readonly title: (what: string) => string;
  /** `one`: it is about a single one. `asAdmin`: an admin does it for a reseller. */
  readonly description: (one: boolean, asAdmin: boolean) => string;
  /** What the button says, with what pressing it costs. */
  readonly confirm: (quote: ChangeQuote) => string;
  /** What becomes of those that are not left out. */
  readonly outcome: string;
  readonly fields?: readonly ChangeField[];
}

interface ChangeField {
  readonly name: "notes" | "reason" | "tags" | "typed_count" | "customerName" | "customerEmail" | "customerReference";
  readonly label: string;
  readonly placeholder: string;
  readonly optional: boolean;
}

export const changeTexts = {
  renew: {
    title: (what) => `Renew ${what}?`,
    description: (one) =>
      one
        ? "It is renewed at today's price."
        : "They are renewed at today's prices. Those that expire first are renewed first.",
    confirm: ({ count, total, funds, currency }) => {
      if (funds === null || funds.affordable.count === 0) return `Renew ${numberText(count)}`;
      // The rest are renewed, too, if money arrives meanwhile.
      return `Renew ${numberText(count)} for ${funds.affordable.count < count ? "up to " : ""}${moneyText(total, currency)}`;
    },
    outcome: "Will be renewed",
  },
  suspend: {
    title: (what) => `Suspend ${what}?`,
    description: (one, asAdmin) =>
      `${one ? "It does not verify while it is suspended, and its term is" : "They do not verify while they are suspended, and their terms are"} not extended. ${asAdmin ? "Only administrators can lift the suspension." : "You can lift the suspension at any time."} Suspending and lifting are free.`,
    confirm: ({ count }) => `Suspend ${numberText(count)}`,
    outcome: "Will be suspended",
    fields: [{ name: "reason", label: "Reason", placeholder: "Payment overdue, customer left, …", optional: true }],
  },
  unsuspend: {
    title: (what) => `Lift the suspension of ${what}?`,
    description: (one) =>
      `${one ? "It verifies again at once, unless its" : "They verify again at once, unless their"} term has ended. This is free.`,
    confirm: ({ count }) => `Lift ${numberText(count)}`,
    outcome: "Will be lifted",
  },
  terminate: {
    title: (what) => `Terminate ${what} for good?`,
    description: (one) =>
      `${one ? "It stops verifying" : "They stop verifying"} at once and cannot be restored. Nothing is refunded. To stop ${one ? "it" : "them"} for a while, suspend ${one ? "it" : "them"} instead.`,
    confirm: ({ count }) => `Terminate ${numberText(count)} for good`,
    outcome: "Will be terminated",
    fields: [{ name: "typed_count", label: "Number of licenses", placeholder: "", optional: false }],
  },
  notes: {
    title: (what) => `Set the notes of ${what}?`,
    description: (one) =>
      `This replaces the notes that ${one ? "it has" : "they have"} now; nothing written removes them. It is free.`,
    confirm: ({ count }) => `Set the notes of ${numberText(count)}`,
    outcome: "Will have these notes",
    fields: [{ name: "notes", label: "Notes", placeholder: "Order 4711, rack 7, …", optional: true }],
  },
  customer: {
    title: (what) => `Set the customer of ${what}?`,
    description: (one) =>
      `This replaces the customer that ${one ? "it has" : "they have"} now; empty fields remove it. It is free.`,
    confirm: ({ count }) => `Set the customer of ${numberText(count)}`,
    outcome: "Will have this customer",
    fields: [
      { name: "customerName", label: "Customer name", placeholder: "Acme GmbH", optional: true },
      { name: "customerEmail", label: "Email", placeholder: "billing@acme.example", optional: true },
      { name: "customerReference", label: "Reference", placeholder: "C-1042", optional: true },
    ],
  },
  add_tags: {
    title: (what) => `Add tags to ${what}?`,
    description: () => "Tags that are there already stay. It is free.",
    confirm: ({ count }) => `Add tags to ${numberText(count)}`,
    outcome: "Will have these tags",
    fields: [{ name: "tags", label: "Tags, separated by commas", placeholder: "eu, vip", optional: false }],
  },
  remove_tags: {
    title: (what) => `Remove tags from ${what}?`,
    description: () => "Other tags stay. It is free.",
    confirm: ({ count }) => `Remove tags from ${numberText(count)}`,
    outcome: "Will not have these tags",
    fields: [{ name: "tags", label: "Tags, separated by commas", placeholder: "eu, vip", optional: false }],
  },
  auto_renew_on: {
    title: (what) => `Turn on auto-renew for ${what}?`,
    description: (one) =>
      `${one ? "It renews automatically before it expires" : "They renew automatically before they expire"}, if the balance covers it. Changing this is free.`,
    confirm: ({ count }) => `Turn on for ${numberText(count)}`,
    outcome: "Will renew automatically",
  },
  auto_renew_off: {
    title: (what) => `Turn off auto-renew for ${what}?`,
    description: (one) =>
      `${one ? "It ends unless you renew it" : "They end unless you renew them"} manually. Changing this is free.`,
    confirm: ({ count }) => `Turn off for ${numberText(count)}`,
    outcome: "Will not renew automatically",
  },
} as const satisfies Record<OfferedChange, ChangeText> as Record<OfferedChange, ChangeText>;
