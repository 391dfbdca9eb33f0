import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";
import { createWebhookSecret, formatWebhookBody, signWebhook } from "./webhook-signature.ts";

const newSecret = () => createWebhookSecret((count) => randomBytes(count));
const event = {
  kind: "license.activated",
  occurredAt: new Date("2027-03-10T12:00:00.123Z"),
  data: { license_id: "lic_12" },
};
const body = formatWebhookBody(event);
const sign = (secrets: readonly string[], text = body) =>
  signWebhook({ id: "evt_1", sentAt: new Date(), body: text }, secrets);

test("a secret is whsec_ and 32 bytes in base64 (contract 4.2)", () => {
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
  expect(newSecret()).not.toBe(secret);
});

test("the time of an attempt is a whole second that has begun (contract 4.2)", () => {
  const sentAt = new Date("2027-03-10T12:00:00.999Z");
  const headers = signWebhook({ id: "evt_1", sentAt, body }, [newSecret()]);
  expect(headers["webhook-timestamp"]).toBe(String(Date.parse("2027-03-10T12:00:00Z") / 1_000));
});

test("the body is the payload of the contract (events.md#kinds-of-events)", () => {
  expect(body).toBe('{"event":"license.activated","timestamp":"2027-03-10T12:00:00Z","data":{"license_id":"lic_12"}}');
});

describe.each([
  ["standardwebhooks", (secret: string) => new StandardWebhook(secret)],
  ["svix", (secret: string) => new SvixWebhook(secret)],
])("verified by %s", (_, verifier) => {
  test("a signature verifies for any payload", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        const secret = newSecret();
        const text = formatWebhookBody({ ...event, data: { data } });
        expect(() => verifier(secret).verify(text, sign([secret], text))).not.toThrow();
      }),
      { numRuns: 25 },
    );
  });

  test("after a rotation the old and the new secret both verify, and another does not", () => {
    const [current, previous] = [newSecret(), newSecret()];
    const headers = sign([current, previous]);
    expect(headers["webhook-signature"].split(" ")).toHaveLength(2);
    for (const secret of [current, previous]) verifier(secret).verify(body, headers);
    expect(() => verifier(newSecret()).verify(body, headers)).toThrow();
  });

  test("a changed byte of body, id or time is rejected", () => {
    const secret = newSecret();
    const headers = sign([secret]);
    expect(() => verifier(secret).verify(body.replace("lic_12", "lic_13"), headers)).toThrow();
    expect(() => verifier(secret).verify(body, { ...headers, "webhook-id": "evt_2" })).toThrow();
    const later = String(Number(headers["webhook-timestamp"]) + 1);
    expect(() => verifier(secret).verify(body, { ...headers, "webhook-timestamp": later })).toThrow();
  });
});
