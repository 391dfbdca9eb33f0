import { expect, test } from "vitest";
import { mailSamples } from "#tests/support/mail-samples.ts";
import { mailContent } from "./contents.ts";
import { type MailKind, mailTitle } from "./kinds.ts";
import { renderMail } from "./render.ts";

const frame = { publicUrl: "https://desk.example.com", settingsUrl: "https://desk.example.com/settings" };
const links = { publicUrl: frame.publicUrl, token: "a-token" };
const hostile = `<img src=x onerror=alert(1)> "quoted" & 'so'\r\nBcc: eve@example.com`;

test("a message of a kind that a later version has added is listed as it is stored", () => {
  expect(mailTitle("price_fallen" as MailKind)).toBe("price_fallen");
});

test("names of users are text in both bodies and never start a header or a line", () => {
  const content = mailContent("invitation", { name: hostile, organization: hostile, role: "owner" }, links);
  const { subject, text, html } = renderMail(content, frame);
  expect(subject).not.toMatch(/[\r\n]/);
  expect(text).not.toMatch(/^Bcc:/m);
  expect(html).not.toContain("<img");
  expect(html).toContain("&lt;img src=x onerror=alert(1)&gt; &quot;quoted&quot; &amp; &#39;so&#39;");
});

test("what a stranger typed has no address that mail programs make a link of", () => {
  const typed =
    "Dr. J.R. St.John: pay at https://evil.example/a?b.c or www.evil.example, evil.भारत, evil．example, evil。example, 203.0.113.9 or http://203.0.113.9/";
  const samples = {
    invitation: { name: typed, organization: null, role: "owner" },
    access_changed: { ...(mailSamples.access_changed as object), name: typed },
    team_access_changed: { ...(mailSamples.team_access_changed as object), name: typed },
    email_change_new: { name: typed, old: "a@example.com", new: "b@example.com" },
    top_up_requested: { ...(mailSamples.top_up_requested as object), reference: typed },
  };
  for (const [kind, data] of Object.entries(samples)) {
    const { subject, text, html } = renderMail(mailContent(kind as MailKind, data, links), frame);
    for (const body of [subject, text, html])
      expect(body).not.toMatch(/evil[.．。](?:example|भारत)|www\.evil|:\/\/203|203\.0/);
    expect(text).toContain("Dr. J.R. St. John: pay at https: //evil. example/a?b.c or www. evil. example, evil. भारत");
    expect(text).toContain("evil． example, evil。 example, 203. 0.113.9 or http: //203. 0.113.9/");
  }
});

const kinds = Object.entries(mailSamples) as [MailKind, unknown][];

test.each(kinds)(
  "a message of kind %s loads nothing from elsewhere, has the same content in both bodies, and marks days as UTC",
  (kind, data) => {
    const content = mailContent(kind, data, links);
    const { subject, text, html } = renderMail(content, frame);
    expect(html).not.toMatch(/<(?:img|link|script|style|iframe)\b|url\(|@import/i);
    expect(html).toContain('name="viewport"');
    expect(subject).not.toMatch(/undefined|null|NaN|\[object/);
    expect(text).not.toMatch(/undefined|null|NaN|\[object/);
    for (const [day] of text.matchAll(/[A-Z][a-z]{2} \d{1,2}, 2027.*/g)) expect(day).toMatch(/2027(?:,.*M)? UTC/);
    const [link] = content.blocks.filter((block) => block.kind === "link");
    expect(link?.url).toMatch(/^https:\/\/desk\.example\.com\//);
    for (const body of [text, html]) {
      expect(body).toContain(link?.url);
      expect(body).toContain(frame.settingsUrl);
    }
  },
);

test("a hidden link leaves its label in both bodies, and leads nowhere", () => {
  const content = mailContent("invitation", mailSamples.invitation, { ...links, token: null });
  const { text, html } = renderMail(content, { ...frame, settingsUrl: null });
  for (const body of [text, html]) {
    expect(body).toContain("Choose a password");
    expect(body).toContain("The link is hidden here.");
  }
  expect(html.match(/<a [^>]*/g), "the footer's alone").toEqual([expect.stringContaining(`"${frame.publicUrl}"`)]);
});

test("failed renewals are listed under their reason, with what they cost and a way out of each", () => {
  const { text, html } = renderMail(mailContent("renewal_failed", mailSamples.renewal_failed, links), frame);
  expect(text).toContain("Cost of unpaid renewals: €290.00");
  expect(text).toMatch(/Expire on Mar 20, 2027 UTC \(not enough balance\):\s+- web1\..+\), 12:00\sAM UTC\n/);
  expect(text).toMatch(/Expire on Mar 20, 2027 UTC \(the price is above your auto-renew limit\):\s+- web18\./);
  expect(html).toMatch(/<h2 [^>]*>Expire on Mar 20, 2027 UTC \(not enough balance/);
  expect(text).toContain(`Top up:\n${frame.publicUrl}/wallet/top-ups`);
  expect(text).toContain(`Review licenses:\n${frame.publicUrl}/licenses?renewal=failed`);
});

test("of several links, only the first is a filled button", () => {
  const { html } = renderMail(mailContent("renewal_failed", mailSamples.renewal_failed, links), frame);
  const buttons = Array.from(html.matchAll(/background:(#\w+);[^>]*>([^<]+)<\/a>/g), ([, ...button]) => button);
  expect(buttons).toEqual([
    ["#1d4ed8", "Top up"],
    ["#ffffff", "Review licenses"],
  ]);
});

test("the heading of one license is about one", () => {
  const one = (sample: unknown) => {
    const { items } = sample as { readonly items: readonly unknown[] };
    return { count: 1, items: items.slice(0, 1) };
  };
  const failed = renderMail(mailContent("renewal_failed", one(mailSamples.renewal_failed), links), frame);
  expect(failed.text).toContain("Expires on Mar 20, 2027 UTC (not enough balance):");
  const expiring = renderMail(mailContent("expiring_soon", one(mailSamples.expiring_soon), links), frame);
  expect(expiring.text).toContain("Expires on Mar 20, 2027 UTC:");
});

test("what expires comes before what renews", () => {
  const { html } = renderMail(mailContent("expiring_soon", mailSamples.expiring_soon, links), frame);
  expect(Array.from(html.matchAll(/<h2 [^>]*>(.*?)<\/h2>/g), ([, heading]) => heading)).toEqual([
    "Expire on Mar 20, 2027 UTC:",
    "Expire on Mar 20, 2027 UTC, because auto-renew does not accept the higher price:",
    "Renew automatically before Mar 20, 2027 UTC at a higher price:",
    "Renew automatically before Mar 20, 2027 UTC:",
  ]);
});

test("a case is named by its license and reseller, or by its provider", () => {
  const { text } = renderMail(mailContent("new_cases", mailSamples.new_cases, links), frame);
  expect(text).toContain("- Completed late: lic_12, Northwind Hosting (case 1)");
  expect(text).toContain("- Not in License Desk: upstream (case 2)");
});

test.each(["HUF", "IQD", "JPY", "KWD", "USD"])("an amount of %s is not rounded", (currency) => {
  const amounts = { HUF: "99.50", IQD: "1234.567", JPY: "1000", KWD: "1.234", USD: "0.10" } as const;
  const amount = amounts[currency as keyof typeof amounts];
  const data = { balance: amount, threshold: amount, currency };
  const { text } = renderMail(mailContent("low_balance", data, links), frame);
  expect(text.replaceAll(",", "")).toContain(amount);
});

/** Texts that stay as they were typed, by who typed them. */
const asTyped: Readonly<Record<string, readonly string[]>> = {
  "an admin, of this License Desk": [
    "invitation organization",
    "access_changed organization",
    "team_access_changed organization",
    "renewal_failed items product",
    "expiring_soon items product",
    "top_up_decided note",
    "top_up_requested reseller",
    "new_cases items reseller",
    "new_cases items provider",
  ],
  "the reader's own team": ["top_up_decided reference", "webhook_disabled url"],
  "the reader's own team, or a server of theirs: a server's name is an address": [
    "renewal_failed items server",
    "expiring_soon items server",
  ],
  "nobody: checked to be an address": [
    "email_change old",
    "email_change new",
    "email_change_new old",
    "email_change_new new",
    "new_device address",
    "team_access_changed email",
  ],
  "nobody: written here": [
    "system_problems problems",
    "renewal_failed items reason",
    "webhook_disabled id",
    "new_cases items license",
  ],
};

test("every text in a message is broken up, or its author is listed", () => {
  const found = kinds.flatMap(([kind, data]) => {
    const isAsTyped = (path: readonly string[]) => {
      try {
        const { subject, text, html } = renderMail(mailContent(kind, withText(data, path), links), frame);
        return [subject, text, html].some((body) => body.includes("www.evil.example"));
      } catch {
        // Only values such as dates and codes are possible there.
        return false;
      }
    };
    return textsOf(data)
      .filter(isAsTyped)
      .map((path) => [kind, ...path.filter((part) => !/^\d/.test(part))].join(" "));
  });
  expect([...new Set(found)].toSorted()).toEqual(Object.values(asTyped).flat().toSorted());
});

/** Where an object has texts. */
function textsOf(value: unknown): string[][] {
  if (typeof value === "string") return [[]];
  return Object.entries(Object(value)).flatMap(([name, part]) => textsOf(part).map((path) => [name, ...path]));
}

function withText(value: unknown, [name, ...path]: readonly string[]): unknown {
  if (name === undefined) return "pay at www.evil.example";
  const changed = { ...Object(value), [name]: withText(Object(value)[name], path) };
  return Array.isArray(value) ? Object.values(changed) : changed;
}
