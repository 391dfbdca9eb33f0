import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatChatBody } from "./chat-message.ts";
import { writeChatText, writeCodeText } from "./chat-text.ts";
import { type EventKind, eventKinds } from "./events.ts";

const place = { publicUrl: "https://desk.example", testMode: false };
const license = { license_id: "lic_12", type: "web_server", server: "web1.example.com" };
const expires = { expires_at: "2027-03-01T00:00:00Z" };
const price = { price: 12, previous_price: 10.5, currency: "USD" };
const AT = "https://desk.example/licenses/12";

test("an event of a kind that a later version has added is named as it is stored", () => {
  const text = writeChatText({ kind: "license.frozen" as EventKind, data: license, productName: null }, place);
  expect(text).toBe(`web1.example.com: web_server license.frozen. ${AT}`);
});

describe("an event is one sentence that states the fact, with a link to its subject", () => {
  const cases: readonly (readonly [EventKind, object, string])[] = [
    ["license.activated", license, `web1.example.com: Web Server is active. ${AT}`],
    ["license.renewed", { ...license, ...expires }, `web1.example.com: Web Server renewed until 2027-03-01 UTC. ${AT}`],
    [
      "license.suspended",
      { ...license, reason: "Abuse of mail." },
      `web1.example.com: Web Server suspended: Abuse of mail. ${AT}`,
    ],
    ["license.unsuspended", license, `web1.example.com: Web Server is active again. ${AT}`],
    [
      "license.ip_changed",
      { ...license, old_ip: "203.0.113.7", new_ip: "203.0.113.8" },
      `web1.example.com: Web Server IP changed from 203.0.113.7 to 203.0.113.8. ${AT}`,
    ],
    [
      "license.cores_changed",
      { ...license, old_cores: 4, new_cores: 8 },
      `web1.example.com: Web Server cores changed from 4 to 8. ${AT}`,
    ],
    ["license.updated", license, `web1.example.com: Web Server changed. ${AT}`],
    [
      "license.updated",
      { ...license, ...expires },
      `web1.example.com: Web Server now expires on 2027-03-01 UTC. ${AT}`,
    ],
    [
      "license.expiring_soon",
      { ...license, ...expires, auto_renew: false, days_left: 7 },
      `web1.example.com: Web Server expires on 2027-03-01 UTC, auto-renew is off. ${AT}`,
    ],
    [
      "license.expiring_soon",
      { ...license, ...expires, auto_renew: true, ...price },
      `web1.example.com: Web Server expires on 2027-03-01 UTC; auto-renew will cost 12.00 USD instead of 10.50 USD. ${AT}`,
    ],
    ["license.expired", { ...license, ...expires }, `web1.example.com: Web Server expired on 2027-03-01 UTC. ${AT}`],
    ["license.terminated", license, `web1.example.com: Web Server terminated. ${AT}`],
    ["license.registration_failed", license, `web1.example.com: Web Server could not be registered. ${AT}`],
    [
      "license.renewal_failed",
      { ...license, reason: "insufficient_balance", price: 12, currency: "USD" },
      `web1.example.com: Web Server could not be renewed: not enough balance, 12.00 USD. ${AT}`,
    ],
    [
      "license.renewal_failed",
      { ...license, reason: "price_limit", ...price },
      `web1.example.com: Web Server could not be renewed: the price is above your auto-renew limit, 12.00 USD instead of 10.50 USD. ${AT}`,
    ],
    [
      "bundle.registered",
      { bundle_instance_id: 3, ip_address: "203.0.113.7" },
      "Bundle 3 registered on 203.0.113.7. https://desk.example/bundles/3",
    ],
    [
      "bundle.renewed",
      { bundle_instance_id: 3, ...expires },
      "Bundle 3 renewed until 2027-03-01 UTC. https://desk.example/bundles/3",
    ],
    [
      "bundle.ip_changed",
      { bundle_instance_id: 3, old_ip: "203.0.113.7", new_ip: "203.0.113.8" },
      "Bundle 3 IP changed from 203.0.113.7 to 203.0.113.8. https://desk.example/bundles/3",
    ],
    [
      "wallet.topped_up",
      { amount: 100, currency: "KWD" },
      "Wallet topped up by 100.000 KWD. https://desk.example/wallet",
    ],
    [
      "wallet.low_balance",
      { balance: 9.5, threshold: 10, currency: "USD" },
      "Available balance 9.50 USD is below 10.00 USD. https://desk.example/wallet",
    ],
    [
      "operation.settled",
      { ...license, operation: "license.renew", outcome: "rejected" },
      `web1.example.com: Web Server license.renew rejected. ${AT}`,
    ],
  ];

  test.each(cases)("%s", (kind, data, text) => {
    expect(writeChatText({ kind, data: { ...data }, productName: "Web Server" }, place)).toBe(text);
  });

  test("of every kind", () => {
    expect(new Set(cases.map(([kind]) => kind))).toEqual(new Set(eventKinds));
  });

  test("that says what is a test", () => {
    const event = { kind: "license.activated", data: license, productName: null } as const;
    expect(writeChatText(event, { ...place, testMode: true })).toMatch(/^Test mode: web1/);
    expect(writeChatText({ ...event, data: { ...license, test: true } }, place)).toMatch(/^Test event: web1/);
  });
});

describe("whatever an event holds", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary", maxLength: 50_000 }),
    fc.constantFrom(
      "<!channel> <!everyone|x> <@U012AB3CD> <https://evil.example|click>",
      "@everyone @here @channel @all @admin",
      "[click](https://evil.example) **bold** _it_ __u__ ~~s~~ `c` ```b``` ||x|| # h > q",
      "\u202egpj.exe\u2066\u2069\u200b\u200f",
      "line\r\nline\u2028line\u2029\0\u0007",
      "&lt;!channel&gt; &amp;",
      "web1.example.com\u1fef\ud800",
      "pay at evil.example/login, www.evil.example or evil.भारत",
      "pay at evil．example, evil。example, evil｡example or 203.0.113.9",
    ),
    fc.integer(),
    fc.constant(null),
    fc.constant({}),
  );
  const names = [
    ...["license_id", "type", "server", "reason", "expires_at", "old_ip", "new_ip", "old_cores", "new_cores", "price"],
    ...["previous_price", "currency", "bundle_instance_id", "ip_address", "amount", "balance", "threshold"],
    ...["operation", "outcome", "auto_renew", "test"],
  ];
  const events = fc.record({
    kind: fc.constantFrom(...eventKinds),
    productName: hostile,
    data: fc.record(Object.fromEntries(names.map((name) => [name, hostile])), { requiredKeys: [] }),
  });

  test("the text is one line of plain text, with nothing that mentions, links, formats or hides", () => {
    fc.assert(
      fc.property(events, (event) => {
        const text = writeChatText(event as Parameters<typeof writeChatText>[0], place);
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(text).not.toMatch(/[<>@[\]*~`|\\#]|__|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u);
        expect(text.match(/:\/\//g)).toHaveLength(1);
        expect(text.isWellFormed()).toBe(true);
        expect(text).toMatch(/\. https:\/\/desk\.example\/(wallet|licenses(\/\d+)?|bundles(\/\d+)?)$/);
      }),
    );
  });

  test("no value but the name of a server or an operation, or an IP address, has what chats make a link of", () => {
    fc.assert(
      fc.property(events, (event) => {
        const data = { ...event.data, server: "web1", operation: "renewal", ip_address: "a", old_ip: "b", new_ip: "c" };
        const text = writeChatText({ ...event, data } as Parameters<typeof writeChatText>[0], place);
        expect(text.slice(0, text.lastIndexOf(place.publicUrl))).not.toMatch(
          /[.．。｡]\p{L}[\p{L}\p{M}]|\d(?:\.\d+){3}/u,
        );
      }),
    );
  });

  test("the bodies keep the bounds of Telegram and Slack, and carry the text unchanged", () => {
    fc.assert(
      fc.property(events, (event) => {
        const text = writeChatText(event as Parameters<typeof writeChatText>[0], place);
        expect(text.length).toBeLessThan(4_096);
        const slack = JSON.parse(formatChatBody("slack", text, null));
        expect(Object.keys(slack)).toEqual(["text"]);
        expect(slack.text.length).toBeLessThan(40_000);
        expect(slack.text).not.toMatch(/[<>]|&(?!amp;)/);
        expect(slack.text.replaceAll("&amp;", "&")).toBe(text);
        const telegram = JSON.parse(formatChatBody("telegram", text, "-100123"));
        expect(telegram).toEqual({ chat_id: "-100123", text, link_preview_options: { is_disabled: true } });
      }),
    );
  });
});

test("Slack's three control characters are escaped, and no others", () => {
  expect(formatChatBody("slack", 'a & b < c > "d" é', null)).toBe('{"text":"a &amp; b &lt; c &gt; \\"d\\" é"}');
});

test("the message with a code names the code and where to enter it", () => {
  const text = writeCodeText("k7mfa-2qpxz", "https://desk.example/webhooks/whe_12");
  expect(text).toMatch(/^License Desk code: k7mfa-2qpxz\. .* https:\/\/desk\.example\/webhooks\/whe_12\. /);
});
