import { expect, test } from "vitest";
import { type Cidr, parseCidr } from "./cidr.ts";
import { PUBLIC_TARGETS } from "./public-address.ts";
import { parseWebhookUrl } from "./webhook-url.ts";

const withHttp = { allowHttp: true, allowedCidrs: [parseCidr("127.0.0.0/8") as Cidr] };
const longUrl = (bytes: number) => `https://example.com/${"a".repeat(bytes - "https://example.com/".length)}`;

test.each([
  ["https://example.com/hooks?a=b", "https://example.com/hooks?a=b"],
  ["HTTPS://EXAMPLE.com:443", "https://example.com/"],
  ["https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"],
  ["https://8.8.8.8:8443/x", "https://8.8.8.8:8443/x"],
  ["https://[2606:4700::1]/x", "https://[2606:4700::1]/x"],
  [longUrl(2048), longUrl(2048)],
])("%s is an endpoint's address", (text, url) => {
  expect(parseWebhookUrl(text, PUBLIC_TARGETS)).toEqual({ url });
});

test.each([
  ["http://example.com/", /starts with https:\/\/$/],
  ["ftp://example.com/", /https/],
  ["javascript:alert(1)", /https/],
  ["file:///etc/passwd", /https/],
  ["gopher://example.com/", /https/],
  ["example.com/hooks", /https/],
  ["https://", /https/],
  ["https:// example.com", /https/],
  ["", /https/],
  ["https://user@example.com/", /user name or password/],
  ["https://user:secret@example.com/", /user name or password/],
  ["https://:secret@example.com/", /user name or password/],
  ["https://example.com/#part", /fragment/],
  ["https://example.com/#", /fragment/],
  [longUrl(2049), /2048 bytes/],
  [`https://example.com/${"ä".repeat(800)}`, /2048 bytes/],
  ["https://127.0.0.1/", /private or reserved/],
  ["https://2130706433/", /private or reserved/],
  ["https://0x7f.1/", /private or reserved/],
  ["https://0177.0.0.1/", /private or reserved/],
  ["https://127.1/", /private or reserved/],
  ["https://169.254.169.254/latest/meta-data", /private or reserved/],
  ["https://[::1]/", /private or reserved/],
  ["https://[::ffff:10.0.0.1]/", /private or reserved/],
  ["https://[64:ff9b::7f00:1]/", /private or reserved/],
  ["https://１２７.０.０.１/", /private or reserved/],
])("%s is refused", (text, problem) => {
  expect(parseWebhookUrl(text, PUBLIC_TARGETS)).toEqual({ problem: expect.stringMatching(problem) });
});

test("an operator can allow http, and networks that are not public", () => {
  expect(parseWebhookUrl("http://127.0.0.1:9/x", withHttp)).toEqual({ url: "http://127.0.0.1:9/x" });
  expect(parseWebhookUrl("ftp://127.0.0.1/", withHttp)).toEqual({ problem: expect.stringContaining("http://") });
  expect(parseWebhookUrl("http://10.0.0.1/", withHttp)).toEqual({ problem: expect.stringContaining("private") });
});
