import { z } from "zod";
import { browserText } from "#lib/domain/browser-text.ts";
import { countText } from "#lib/domain/count-text.ts";
import { caseKindNames, caseKinds } from "#lib/domain/reconciliation.ts";
import { roleNames } from "#lib/domain/roles.ts";
import { unlinked } from "#lib/domain/text.ts";
import { accessChangeData, accessChanged, roleTitle, teamAccessChanged } from "./access-change.ts";
import { dayText, facts, inGroups, lines, link, minuteText, money, spelledOutLink, text } from "./blocks.ts";
import { expiringLicense, expiryHeading, expiryLine, renewsAutomatically } from "./expiring-license.ts";
import { failedRenewal, failureHeading, unpaidRenewals } from "./failed-renewal.ts";
import { amount, licenseLine } from "./fields.ts";
import { isMailKind, type MailKind, secretLinkUrl } from "./kinds.ts";
import type { MailBlock, MailContent } from "./render.ts";

export interface MailLinks {
  readonly publicUrl: string;
  /** Of the message's link; null once it is forgotten. */
  readonly token: string | null;
}

const name = z.string();
const emailChange = z.object({ name, old: z.string(), new: z.string() });
const newCase = z.object({
  id: z.int(),
  kind: z.enum(caseKinds),
  provider: z.string(),
  /** `lic_12`. */
  license: z.string().optional(),
  reseller: z.string().optional(),
});
const topUp = z.object({
  reseller: z.string(),
  /** Once credited, what was. */
  amount,
  requested: amount,
  currency: z.string(),
  reference: z.string(),
  approved: z.boolean(),
  note: z.string(),
});

/** What a digest gathers: the most urgent items of `count`. */
function gathered<Item extends z.ZodType>(item: Item) {
  return z.object({ count: z.int(), items: z.array(item) });
}

/** A kind's content from its stored data. */
function content<Shape extends z.ZodType>(
  shape: Shape,
  write: (data: z.output<Shape>, links: MailLinks) => MailContent,
) {
  return (data: unknown, links: MailLinks) => write(shape.parse(data), links);
}

const contents: Readonly<Record<MailKind, (data: unknown, links: MailLinks) => MailContent>> = {
  invitation: content(
    z.object({ name, organization: name.nullable(), role: z.enum(roleNames) }),
    ({ name, organization, role }, links) => ({
      subject:
        organization === null
          ? "You are invited to License Desk"
          : `You are invited to ${organization} on License Desk`,
      blocks: [
        text(`Hello ${unlinked(name)},`),
        text(
          `You have been added ${organization === null ? "as an administrator" : `to the team of ${organization}`} with the role ${roleTitle(role, organization)}. Choose a password to sign in.`,
        ),
        secretLink("Choose a password", "invitation", links),
        text("The link works once, within 7 days. If you did not expect it, ignore this message."),
      ],
    }),
  ),
  password_reset: content(z.object({ name, organization: name.nullable() }), ({ name, organization }, links) => ({
    subject: "Choose a new password for License Desk",
    blocks: [
      text(`Hello ${unlinked(name)},`),
      text(
        `Someone, probably you, asked for a new password for your account${organization === null ? "" : ` at ${organization}`}.`,
      ),
      secretLink("Choose a new password", "password_reset", links),
      text(
        "The link works once, within 30 minutes. If you did not ask for it, ignore this message: your password stays as it is.",
      ),
    ],
  })),
  email_change: content(emailChange, ({ name, old, new: to }, links) => ({
    subject: "Confirm your new email address for License Desk",
    blocks: [
      text(`Hello ${unlinked(name)},`),
      text(`Someone, probably you, asked to change your email address from ${old} to ${to}.`),
      secretLink("Confirm the change", "email_change", links),
      text(
        "The address changes once both addresses have confirmed, within a day. If you did not ask for it, do not confirm, and change your password: someone else knows it.",
      ),
    ],
  })),
  email_change_new: content(emailChange, ({ name, old, new: to }, links) => ({
    subject: "Confirm your email address for License Desk",
    blocks: [
      text(`Hello ${unlinked(name)},`),
      text(`Confirm that ${to} is your new email address for License Desk. Until then, it is ${old}.`),
      secretLink("Confirm the address", "email_change_new", links),
      text("The link works for a day. If you did not expect it, ignore this message."),
    ],
  })),
  new_device: content(
    z.object({ name, address: z.string(), user_agent: z.string(), at: z.iso.datetime() }),
    ({ name, address, user_agent, at }, { publicUrl }) => ({
      subject: "New sign-in to License Desk",
      blocks: [
        text(`Hello ${unlinked(name)},`),
        text("Someone, probably you, signed in on a device that you have not used before."),
        facts(["Time", minuteText(at)], ["Address", address], ["Device", browserText(user_agent)]),
        text(
          "If it was you, there is nothing to do. If not, change your password and sign out everywhere else in the settings.",
        ),
        link("Review sessions", `${publicUrl}/settings`),
      ],
    }),
  ),
  access_changed: content(accessChangeData, (data, { publicUrl }) => accessChanged(data, publicUrl)),
  team_access_changed: content(accessChangeData, (data, { publicUrl }) => teamAccessChanged(data, publicUrl)),
  low_balance: content(
    z.object({ balance: amount, threshold: amount, currency: z.string() }),
    ({ balance, threshold, currency }, { publicUrl }) => ({
      subject: `Your balance is low: ${money(balance, currency)}`,
      blocks: [
        text(`You set a warning below ${money(threshold, currency)}. Top up so that licenses keep renewing.`),
        facts(["Available balance", money(balance, currency)]),
        link("Top up", `${publicUrl}/wallet/top-ups`),
      ],
    }),
  ),
  runway_end: content(
    z.object({ until: z.string(), count: z.int(), needed: amount, days: z.int(), currency: z.string() }),
    ({ until, count, needed, days, currency }, { publicUrl }) => ({
      subject: `Your balance runs out on ${dayText(until)}`,
      blocks: [
        text(
          `In the next ${days} days, your available balance will not cover ${countText(count, "automatic renewal")}. Without a top-up, licenses that are not renewed expire at the end of their term.`,
        ),
        facts(["First unpaid renewal", minuteText(until)], ["Top-up needed", money(needed, currency)]),
        link("Top up", `${publicUrl}/wallet/top-ups`),
      ],
    }),
  ),
  renewal_failed: content(
    gathered(failedRenewal).extend({ unpaid: unpaidRenewals.optional() }),
    ({ count, items, unpaid }, { publicUrl }) => ({
      subject: `${countText(count, "license")} could not be renewed`,
      blocks: [
        text("Automatic renewal failed. A license that is not renewed expires at the end of its term."),
        ...(unpaid ? [facts(["Cost of unpaid renewals", money(unpaid.price, unpaid.currency)])] : []),
        ...inGroups({ count, items }, failureHeading, licenseLine),
        ...(unpaid ? [link("Top up", `${publicUrl}/wallet/top-ups`)] : []),
        ...(unpaid?.count === count ? [] : [link("Review licenses", `${publicUrl}/licenses?renewal=failed`)]),
      ],
    }),
  ),
  expiring_soon: content(gathered(expiringLicense), ({ count, items }, { publicUrl }) => ({
    subject: `${countText(count, "license")} ${count === 1 ? "expires" : "expire"} soon`,
    blocks: [
      text(
        items.every(renewsAutomatically)
          ? `${count === 1 ? "It renews" : "They renew"} automatically while your balance lasts.`
          : "Renew the licenses that you want to keep before they expire.",
      ),
      ...inGroups({ count, items }, expiryHeading, expiryLine),
      link("Review licenses", `${publicUrl}/licenses?expires=30`),
    ],
  })),
  top_up_requested: content(topUp, ({ reseller, amount, currency, reference }, { publicUrl }) => ({
    subject: `${reseller} reports a payment of ${money(amount, currency)}`,
    blocks: [
      text("Check that the payment has arrived, then credit or decline it."),
      // "RE.AB-12" is altered, too: some mail programs make links of such text. The linked page has it as it was typed.
      facts(["Reseller", reseller], ["Amount", money(amount, currency)], ["Reference", unlinked(reference)]),
      link("Review top-up", `${publicUrl}/top-ups`),
    ],
  })),
  top_up_decided: content(topUp, ({ approved, amount, requested, currency, reference, note }, { publicUrl }) => ({
    subject: approved
      ? `Your top-up of ${money(amount, currency)} is credited`
      : `Your top-up of ${money(requested, currency)} was declined`,
    blocks: [
      text(approved ? "The money is in your wallet." : "Nothing was credited."),
      facts(
        [approved ? "Credited" : "Requested", money(approved ? amount : requested, currency)],
        ...(approved && requested !== amount ? [["Requested", money(requested, currency)] as const] : []),
        ["Reference", reference],
        ...(note === "" ? [] : [["Note", note] as const]),
      ),
      link("Open the wallet", `${publicUrl}/wallet`),
    ],
  })),
  webhook_disabled: content(
    z.object({ id: z.string(), url: z.string(), reason: z.enum(["gone", "failing"]) }),
    ({ id, url, reason }, { publicUrl }) => ({
      subject: "A webhook endpoint was disabled",
      blocks: [
        text(
          reason === "gone"
            ? "The receiver answered 410 Gone, so it gets no more events."
            : "All deliveries have failed for five days, so it gets no more events.",
        ),
        facts(["Endpoint", url]),
        text("Repair the receiver, then enable the endpoint and resend the events that it missed."),
        link("Open the endpoint", `${publicUrl}/webhooks/${id}`),
      ],
    }),
  ),
  system_problems: content(z.object({ problems: z.array(z.string()) }), ({ problems }, { publicUrl }) => ({
    subject: `License Desk: ${countText(problems.length, "problem")}`,
    blocks: [
      text("The installation needs your attention:"),
      lines(problems, problems.length, (problem) => problem),
      link("Open the system page", `${publicUrl}/system`),
    ],
  })),
  new_cases: content(gathered(newCase), ({ count, items }, { publicUrl }) => ({
    subject: countText(count, "new reconciliation case"),
    blocks: [
      text("Our books and a provider's differ. Decide each case."),
      lines(items, count, ({ id, kind, provider, license, reseller }) => {
        const about = [license, reseller].filter((name) => name !== undefined).join(", ");
        return `${caseKindNames[kind]}: ${about || provider} (case ${id})`;
      }),
      link("Review cases", `${publicUrl}/reconciliation`),
    ],
  })),
};

/** Of a later version's message, which the outbox shows, only that it is one. */
export function mailContent(kind: MailKind, data: unknown, links: MailLinks): MailContent {
  if (isMailKind(kind)) return contents[kind](data, links);
  return {
    subject: kind,
    blocks: [{ kind: "text", text: "A later version of License Desk shows and sends this message." }],
  };
}

function secretLink(label: string, kind: MailKind, { publicUrl, token }: MailLinks): MailBlock {
  return spelledOutLink(label, token === null ? null : secretLinkUrl(publicUrl, kind, token));
}
