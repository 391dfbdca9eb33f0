import { expect, test } from "vitest";
import { mailContent } from "./contents.ts";
import { renderMail } from "./render.ts";

const frame = { publicUrl: "https://desk.example.com", settingsUrl: "https://desk.example.com/settings" };
const links = { publicUrl: frame.publicUrl, token: "a-token" };
const hostile = `<img src=x onerror=alert(1)> "quoted" & 'so'\r\nBcc: eve@example.com`;

test("names of users are text in both bodies and never start a header or a line", () => {
  const content = mailContent("invitation", { name: hostile, organization: hostile }, links);
  const { subject, text, html } = renderMail(content, frame);
  expect(subject).not.toMatch(/[\r\n]/);
  expect(text).not.toMatch(/^Bcc:/m);
  expect(html).not.toContain("<img");
  expect(html).toContain("&lt;img src=x onerror=alert(1)&gt; &quot;quoted&quot; &amp; &#39;so&#39;");
});

test("a message loads nothing from elsewhere and is legible on a phone", () => {
  const { html } = renderMail(mailContent("password_reset", { name: "Ada", organization: null }, links), frame);
  expect(html).not.toMatch(/<(?:img|link|script|style|iframe)\b|url\(|@import/i);
  expect(html).toContain('name="viewport"');
});

test("both bodies have the link, and say where to switch the messages off", () => {
  const data = { balance: 3.2, threshold: "10", currency: "USD" };
  const { text, html } = renderMail(mailContent("low_balance", data, links), frame);
  for (const body of [text, html]) {
    expect(body).toContain("https://desk.example.com/wallet");
    expect(body).toContain("3.2 USD");
    expect(body).toContain(frame.settingsUrl);
  }
});
