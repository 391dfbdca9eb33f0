import { expect, test } from "vitest";
import { meetsChallenge } from "./webhook-challenge.ts";

const challenge = "6f1d0c7a5b9e4c62";

test.each([challenge, ` ${challenge}\n`, JSON.stringify(challenge), JSON.stringify({ challenge, ok: true })])(
  "%s meets the challenge",
  (body) => {
    expect(meetsChallenge(body, challenge)).toBe(true);
  },
);

test.each([
  "",
  "ok",
  "{}",
  "null",
  "{",
  `${challenge}0`,
  `<p>${challenge}</p>`,
  JSON.stringify([challenge]),
  JSON.stringify({ challenge: "another" }),
  JSON.stringify({ challenge: [challenge] }),
  // What came in, sent back.
  JSON.stringify({ event: "webhook.endpoint_verification", timestamp: "2027-02-01T12:00:00Z", data: { challenge } }),
  JSON.stringify({ json: { data: { challenge } }, headers: {} }),
])("%s does not", (body) => {
  expect(meetsChallenge(body, challenge)).toBe(false);
});

test("an empty challenge is never met", () => {
  expect([meetsChallenge("", ""), meetsChallenge("undefined", undefined), meetsChallenge("null", null)]).toEqual([
    false,
    false,
    false,
  ]);
});
