/** Compares the documented types and bounds of parameters, and the errors they imply, with the schemas. */
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { isDomainError } from "#lib/domain/errors.ts";
import { eventKinds } from "#lib/domain/events.ts";
import { createLicenseKey } from "#lib/domain/license-key.ts";
import { licenseStatuses } from "#lib/domain/license-status.ts";
import type { Currency } from "#lib/domain/money.ts";
import { checkEndpointFields } from "#lib/services/webhook/validate.ts";
import { codesIn, readSections, rowsOf, type Section } from "#tests/support/contract-documents.ts";
import { idsOfNothing } from "#tests/support/ids-of-nothing.ts";
import { operations } from "./dispatch-api/interface.ts";
import type { Endpoint } from "./endpoint.ts";
import { pathTargets } from "./path-api/interface.ts";

const endpoints = new Map<string, Endpoint>([
  ...operations.map((endpoint) => [endpoint.name, endpoint] as const),
  ...Object.entries(pathTargets).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, endpoint]) => [`${method} ${path}`, endpoint] as const),
  ),
]);
const sections = [...readSections("path-interface"), ...readSections("dispatch-interface")].filter(
  ({ level }) => level === 3,
);
const endpointOf = ({ title }: Section) => endpoints.get(title) ?? expect.unreachable(title);

interface Samples {
  readonly taken: readonly unknown[];
  readonly refused: readonly unknown[];
}

const uuid = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
const addresses = { taken: ["203.0.113.7", "10.0.0.1", " 203.0.113.7 "], refused: ["203.0.113", "01.2.3.4", "::1"] };

/** Accepted and rejected samples per documented type. */
const types: Readonly<Record<string, Samples>> = {
  integer: { taken: ["1", 2_147_483_647], refused: ["0", "01", "1.5", "1e3", 2_147_483_648, true] },
  amount: { taken: ["12.5", "0", "-0.01"], refused: ["12.345", "1,5", "", "1e3"] },
  boolean: { taken: [true, false, "true", "false"], refused: ["yes", "TRUE", "1", 1] },
  text: { taken: [], refused: [1, true] },
  time: {
    taken: ["2027-01-31T00:00:00Z"],
    refused: ["2027-01-31", "2027-01-31T00:00:00.000Z", "2027-02-30T00:00:00Z"],
  },
  "license key": {
    taken: [createLicenseKey((count) => new Uint8Array(count)), "lic-00000-00000-00000-00000"],
    refused: ["LIC-00000-00000-00000-00001", "LIC-1"],
  },
  "IPv4 address": { taken: [...addresses.taken, "127.0.0.1"], refused: addresses.refused },
  "address for a license": {
    taken: addresses.taken,
    refused: [...addresses.refused, "127.0.0.1", "224.0.0.1", "0.0.0.1"],
  },
  "email address": {
    taken: ["billing@acme.example"],
    refused: ["billing", "a b@acme.example", `${"a".repeat(254)}@x`],
  },
  tags: {
    taken: ["eu,vip", ["eu", "vip"], "x".repeat(40), "1,2,3,4,5,6,7,8,9,10", []],
    refused: ["x".repeat(41), "1,2,3,4,5,6,7,8,9,10,11", [1], ["a,b"], 7, true],
  },
  "host name": { taken: ["web1.example.com", "WEB1"], refused: ["web_1", "203.0.113.7", "a".repeat(254)] },
  "`lic_12` or `12`": { taken: ["lic_12", "12"], refused: ["lic_", "lic_012", "12x"] },
  "`whe_12`": { taken: ["whe_12"], refused: ["12", "whe_0"] },
  "`evt_<uuid>`": { taken: [`evt_${uuid}`], refused: [uuid, "evt_1"] },
  UUID: { taken: [uuid, uuid.toUpperCase()], refused: ["1", `evt_${uuid}`] },
  "`16GB` or `512MB`": { taken: ["16GB", "512MB", "0MB"], refused: ["16 GB", "1TB", "1.5GB"] },
  "`12 days` or `5 hours`": { taken: ["12 days", "5 hours"], refused: ["12", "1 week"] },
  "`active` or `paused`": { taken: ["active", "paused"], refused: ["pending", "disabled"] },
  "`standard`": { taken: ["standard", "slack", "telegram"], refused: ["Slack", "discord", ""] },
  status: { taken: licenseStatuses, refused: ["Active", "gone"] },
  "[kind](events.md#kinds-of-events)": { taken: eventKinds, refused: ["license.gone"] },
  "list of [kinds](events.md#kinds-of-events)": {
    taken: [[], [...eventKinds]],
    refused: ["license.expired", ["license.gone"]],
  },
  "https URL": {
    taken: ["https://hooks.example/desk"],
    refused: ["http://hooks.example", "https://u:p@h.example", "x"],
  },
};

/** `integer, 1 to 1000` → samples of the type and of its bounds. */
function samplesOf(cell: string): Samples {
  const [name = "", bound = ""] = cell.replace(/(\d),(\d)/g, "$1$2").split(", ");
  const { taken, refused } = types[name] ?? expect.unreachable(`no samples of ${cell}`);
  const [, first, last] = /^(\d+) to (\d+)$/.exec(bound) ?? [];
  if (first !== undefined) {
    return { taken: [first, last], refused: [`${Number(first) - 1}`, `${Number(last) + 1}`, ...refused.slice(1, -2)] };
  }
  const [, most] = /^up to (\d+) characters$/.exec(bound) ?? [];
  if (most !== undefined)
    return { taken: ["😀".repeat(Number(most))], refused: ["x".repeat(Number(most) + 1), ...refused] };
  const [, bytes] = /^up to (\d+) bytes$/.exec(bound) ?? [];
  if (bytes === undefined) return { taken, refused };
  const prefix = "https://hooks.example/";
  const ofLength = (length: number) => prefix.padEnd(length, "x");
  return { taken: [...taken, ofLength(Number(bytes))], refused: [...refused, ofLength(Number(bytes) + 1)] };
}

/** Fields of webhook endpoints, which the service validates. */
const webhookFields: Readonly<Record<string, string>> = {
  url: "url",
  bot_token: "botToken",
  chat_id: "chatId",
  description: "description",
  events: "events",
  concurrency: "concurrency",
};
const formatOf = (name: string) => (name === "bot_token" || name === "chat_id" ? "telegram" : "standard");

function takes(field: z.ZodType, name: string, value: unknown): boolean {
  try {
    const parsed = field.safeParse(value);
    if (!parsed.success || idsOfNothing.includes(parsed.data)) return false;
    if (name in webhookFields) checkEndpointFields({ [webhookFields[name] ?? ""]: parsed.data }, formatOf(name), {});
    return true;
  } catch (error) {
    if (isDomainError(error)) return false;
    throw error;
  }
}

const parameters = sections.flatMap((section) => {
  const { shape } = endpointOf(section).schemaFor("USD" as Currency);
  return rowsOf(section, "Parameter").map(({ Parameter, Type = "" }) => {
    const name = codesIn(Parameter)[0] ?? "";
    return { title: `${section.title} ${name}: ${Type}`, name, type: Type, field: shape[name] as z.ZodType };
  });
});

describe("parameters have the documented types and bounds (contract 1.8)", () => {
  // The service validates the kind of a test event, and a cursor is opaque.
  const opaque = ["cursor", "event"];
  test.each(parameters.filter(({ name }) => !opaque.includes(name)))("$title", ({ name, type, field }) => {
    const { taken, refused } = samplesOf(type);
    expect(taken.filter((value) => !takes(field, name, value))).toEqual([]);
    expect(refused.filter((value) => takes(field, name, value))).toEqual([]);
  });
});

/** Codes that follow from an operation's parameters, method and effect. */
function expectedErrors(endpoint: Endpoint): string[] {
  const names = Object.keys(endpoint.schemaFor("USD" as Currency).shape);
  const any = (...wanted: string[]) => wanted.some((name) => names.includes(name));
  const asksProvider = endpoint.acceptsKey && 202 in endpoint.responses;
  const asked: readonly (readonly [boolean, ...string[]])[] = [
    [any("expected_price"), "409 PRICE_CHANGED"],
    [any("expected_price") && asksProvider, "400 INSUFFICIENT_BALANCE"],
    [any("ip_address", "new_ip"), "400 INVALID_IP_ADDRESS"],
    [any("ip_address", "new_ip") && asksProvider, "429 RATE_LIMITED"],
    [any("license_id"), "404 LICENSE_NOT_FOUND"],
    [any("bundle_id", "bundle_instance_id"), "404 BUNDLE_NOT_FOUND"],
    [any("product_id"), "404 PRODUCT_NOT_FOUND"],
    [any("cycle_id"), "404 CYCLE_NOT_FOUND"],
    [any("cores"), "400 CORE_CHANGE_FAILED", "400 NOT_CORE_METERED"],
    [names.length > 0, "400 INVALID_PARAMETER"],
    [asksProvider, "503 PROVIDER_UNAVAILABLE"],
    [asksProvider && any("license_id", "bundle_instance_id"), "409 OPERATION_IN_PROGRESS", "409 INVALID_STATE"],
  ];
  return asked.flatMap(([applies, ...errors]) => (applies ? errors : []));
}

test.each(operations.map(({ name }) => name))(
  "%s lists the errors that its parameters imply (contract 3.13)",
  (name) => {
    const section = sections.find(({ title }) => title === name) ?? expect.unreachable(name);
    const listed = rowsOf(section, "Status").map(({ Status, Code }) => `${Status} ${codesIn(Code)[0]}`);
    expect(listed).toEqual(expect.arrayContaining(expectedErrors(endpointOf(section))));
  },
);
