import { expect, test } from "vitest";
import type { ZodType } from "zod";
import { type Currency, parseCurrency } from "#lib/domain/money.ts";
import { MAX_BODY_BYTES } from "#lib/http/read-body.ts";
import { idsOfNothing } from "#tests/support/ids-of-nothing.ts";
import { operations } from "./dispatch-api/interface.ts";
import { JsonNumber } from "./json-number.ts";
import { parameter } from "./parameters.ts";
import { pathTargets } from "./path-api/interface.ts";

const endpoints = [...operations, ...Object.values(pathTargets).flatMap((byMethod) => Object.values(byMethod))];
const digits = "9".repeat(MAX_BODY_BYTES);
const usd = parseCurrency("USD") as Currency;
/** A number as no one writes it, in text and in JSON. */
const numbers = [digits, `-${digits}`, `1.${digits}`, `1e${digits}`, `0x${digits}`].flatMap((text) => [
  text,
  new JsonNumber(text),
]);
/** Of the processor: others on the machine do not count. */
const AT_ONCE_MS = 250;

test("every parameter of both interfaces quickly rejects a number as long as a whole body (contract 1.8)", () => {
  const fields = endpoints.flatMap((endpoint) => {
    const { shape } = endpoint.schemaFor(usd);
    return Object.entries(shape).map(([name, field]) => ({ where: `${endpoint.name} ${name}`, field }));
  });
  expect(fields.length).toBeGreaterThan(80);
  const accepted: string[] = [];
  for (const { where, field } of fields) {
    for (const number of numbers) {
      const start = process.cpuUsage();
      const { success, data } = (field as ZodType).safeParse(number);
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 1_000, where).toBeLessThan(AT_ONCE_MS);
      // An invalid id in a path is not found; other fields have a problem. Neither parses all digits.
      if (success && !idsOfNothing.includes(data))
        accepted.push(`${where} ${number instanceof JsonNumber ? "JSON" : "text"}`);
    }
  }
  // Bounded text that the service never converts to a number (lib/services/webhook/validate.ts).
  expect([...new Set(accepted)].toSorted()).toEqual([
    "webhook_endpoints.create bot_token text",
    "webhook_endpoints.create chat_id text",
    "webhook_endpoints.create description text",
    "webhook_endpoints.create url text",
    "webhook_endpoints.test event text",
    "webhook_endpoints.update bot_token text",
    "webhook_endpoints.update chat_id text",
    "webhook_endpoints.update description text",
    "webhook_endpoints.update url text",
    "webhook_endpoints.verify code text",
  ]);
});

test("an amount in JSON must be exact as a double, in any notation (contract 1.9)", () => {
  const read = (text: string) => parameter.price(usd).safeParse(new JsonNumber(text)).data;
  expect(["12.5", "12.500", "1.25e1", "1250E-2", "0.125e2"].map(read)).toEqual(Array(5).fill(1250n));
  expect(["1.9999999999999999", "12.500000000000000001", "1e99", "12.505"].map(read)).toEqual(Array(4).fill(undefined));
});
