import { z } from "zod";
import { accessLinkUrl, type MailKind } from "./kinds.ts";
import type { MailBlock, MailContent } from "./render.ts";

export interface MailLinks {
  readonly publicUrl: string;
  /** Of the message's link; null once it is forgotten. */
  readonly token: string | null;
}

const name = z.string();
/** Major units. */
const amount = z.union([z.string(), z.number()]).transform(String);

/** A kind's content from its stored data. */
function content<Shape extends z.ZodType>(
  shape: Shape,
  write: (data: z.output<Shape>, links: MailLinks) => MailContent,
) {
  return (data: unknown, links: MailLinks) => write(shape.parse(data), links);
}

const contents: Readonly<Record<MailKind, (data: unknown, links: MailLinks) => MailContent>> = {
  invitation: content(z.object({ name, organization: name.nullable() }), ({ name, organization }, links) => ({
    subject:
      organization === null ? "You are invited to License Desk" : `You are invited to ${organization} on License Desk`,
    blocks: [
      text(`Hello ${name},`),
      text(
        organization === null
          ? "You have been added as an administrator. Choose a password to sign in."
          : `You have been added to the team of ${organization}. Choose a password to sign in.`,
      ),
      secretLink("Choose a password", links),
      text("The link works once, within 7 days. If you did not expect it, ignore this message."),
    ],
  })),
  password_reset: content(z.object({ name, organization: name.nullable() }), ({ name, organization }, links) => ({
    subject: "Choose a new password for License Desk",
    blocks: [
      text(`Hello ${name},`),
      text(
        `Someone, probably you, asked for a new password for your ${organization === null ? "administrator" : organization} access.`,
      ),
      secretLink("Choose a new password", links),
      text(
        "The link works once, within 30 minutes. If you did not ask for it, ignore this message: your password stays as it is.",
      ),
    ],
  })),
  low_balance: content(
    z.object({ balance: amount, threshold: amount, currency: z.string() }),
    ({ balance, threshold, currency }, { publicUrl }) => ({
      subject: `Your balance is low: ${balance} ${currency}`,
      blocks: [
        text("Your available balance has fallen below the limit that you set. Top up so that licenses keep renewing."),
        facts(["Available balance", `${balance} ${currency}`], ["Your limit", `${threshold} ${currency}`]),
        link("Open the wallet", `${publicUrl}/wallet`),
      ],
    }),
  ),
};

export function mailContent(kind: MailKind, data: unknown, links: MailLinks): MailContent {
  return contents[kind](data, links);
}

function text(text: string): MailBlock {
  return { kind: "text", text };
}

function link(label: string, url: string): MailBlock {
  return { kind: "link", label, url };
}

function facts(...facts: readonly (readonly [label: string, value: string])[]): MailBlock {
  return { kind: "facts", facts };
}

function secretLink(label: string, { publicUrl, token }: MailLinks): MailBlock {
  if (token === null) return text("The link is not shown: it was delivered, has ended, or is only for its recipient.");
  return link(label, accessLinkUrl(publicUrl, token));
}
