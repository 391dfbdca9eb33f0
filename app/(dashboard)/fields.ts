import { z } from "zod";
import { DomainError } from "#lib/domain/errors.ts";
import { inCamelCase } from "#lib/domain/field-names.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import {
  describeAddressProblem,
  isPrivateAddress,
  type LicenseAddress,
  parseLicenseAddress,
} from "#lib/domain/license-address.ts";
import { clip, REFERENCE_MAX_LENGTH } from "#lib/domain/text.ts";
import { parameter } from "#lib/http/parameters.ts";

/** What the page names by id. */
export const id = <Id extends number = number>() =>
  z
    .int32()
    .positive()
    .transform((value) => value as Id);

/** Of a page that admins see of a reseller, too: theirs name it. Other users act for their own, whatever is sent. */
export const viewedReseller = { resellerId: id<ResellerId>().optional() };

/** Of what the page showed (`versionOf`). Every page sends it; a caller without it sets no condition. */
export const seenVersion = z.custom<string>((sent) => sent === undefined || typeof sent === "string");

/** The price that the button showed, in minor units as decimal text; negative for a credit (contract 3.15). */
export const agreedPrice = z
  .string()
  .regex(/^-?\d{1,18}$/)
  .transform(BigInt);

/** The address of the server that a form registers something for. */
export const serverAddress = z
  .string()
  .refine((text) => text.trim() !== "", "Enter the server's IPv4 address.")
  .pipe(parameter.licenseAddress);

/** The id of what is chosen. */
export const chosen = (question: string) =>
  z
    .union([z.string(), z.number()])
    .refine((text) => text !== "", question)
    .pipe(parameter.integer);

/** The cycle that something is registered for. */
export const chosenCycle = chosen("Choose a billing cycle.");

const MAX_ADDRESSES = 500;
const QUOTED_LENGTH = 40;

/** The addresses of the servers that a form registers something for, one by one; each once. */
export const serverAddresses = z
  .string()
  .transform((text) => [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ""))])
  .transform((parts, { issues, value }) =>
    parts.map((part): LicenseAddress => {
      const address = parseLicenseAddress(part);
      if (address !== null) return address;
      const problem = describeAddressProblem(part);
      const message = parts.length === 1 ? problem : `${clip(part, QUOTED_LENGTH)} ${problem}`;
      issues.push({ code: "custom", input: value, message });
      return z.NEVER;
    }),
  )
  .refine((addresses) => addresses.length > 0, "Enter the server's IPv4 address.")
  .refine((addresses) => addresses.length <= MAX_ADDRESSES, `has more than ${MAX_ADDRESSES} addresses`);

/** What a page showed to be paid, and its visitor agreed to: minor units as decimal text. */
export const agreedTotal = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform(BigInt);

/** The private address that the form has asked about and was told is meant; empty until then. */
export const meantAddress = z.string();

/**
 * Asks whether a private address is meant, before anything is charged for it or moved to it (contract 1.8). `field`: the
 * address, beside the answer.
 */
export function askIfMeant<Field extends string>(field: Field) {
  return ({
    value,
    issues,
  }: z.core.ParsePayload<Record<Field, LicenseAddress | readonly LicenseAddress[]> & { meant_address: string }>) => {
    const question = findQuestion(value[field], value.meant_address);
    if (question === null) return;
    issues.push({ code: "custom", path: ["meant_address"], input: value.meant_address, message: question });
  };
}

/** The same for an address that the page is bound to. @throws DomainError `parameters_invalid` */
export function requireMeant(address: LicenseAddress, meant: string): void {
  const question = findQuestion(address, meant);
  if (question !== null)
    throw new DomainError("parameters_invalid", question, { details: { meant_address: question } });
}

function findQuestion(given: LicenseAddress | readonly LicenseAddress[], meant: string): string | null {
  const confirmed = meant.split(/[\s,;]+/);
  const asked = [given].flat().find((address) => isPrivateAddress(address) && !confirmed.includes(address));
  if (asked === undefined) return null;
  return `${asked} is a private address: it cannot be reached from the internet. Is that intended?`;
}

/** What one cycle costs: decimal text in major units. What each may hold is the service's to say. */
export const prices = { price: z.string(), setup_fee: z.string(), price_per_core: z.string() };

const MAX_PRICES = 1_000;

/** What is changed of a grid: an empty price is removed. `seenVersion`: of the price seen; empty: none. */
export const priceGrid = z
  .strictObject({
    changes: z
      .array(z.strictObject({ cycle_id: parameter.integer, currency: z.string(), seenVersion: z.string(), ...prices }))
      .min(1)
      .max(MAX_PRICES)
      .readonly(),
    allow_below_cost: z.boolean(),
  })
  .transform(({ changes, ...grid }) => ({ ...grid, changes: changes.map((change) => inCamelCase(change)) }));

export const reference = parameter.limited(REFERENCE_MAX_LENGTH);
