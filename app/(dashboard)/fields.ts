import { z } from "zod";
import { isPrivateAddress, type LicenseAddress } from "#lib/domain/license-address.ts";
import { parameter } from "#lib/http/parameters.ts";

/** What the page names by id. */
export const id = <Id extends number = number>() =>
  z
    .int32()
    .positive()
    .transform((value) => value as Id);

/** Of what the page showed (`versionOf`). Every page sends it; a caller without it sets no condition. */
export const seenVersion = z.custom<string>((sent) => sent === undefined || typeof sent === "string");

/** The price that the button showed, in minor units as decimal text; negative for a credit (contract 3.15). */
export const agreedPrice = z.string().regex(/^-?\d{1,18}$/);

/** The address of the server that a form registers something for. */
export const serverAddress = z
  .string()
  .refine((text) => text.trim() !== "", "Enter the server's IPv4 address.")
  .pipe(parameter.licenseAddress);

/** What a page showed to be paid, and its visitor agreed to: minor units as decimal text. */
export const agreedTotal = z.string().regex(/^\d{1,18}$/);

/** The private address that the form has asked about and was told is meant; empty until then. */
export const meantAddress = z.string();

interface Placement {
  readonly ip_address: LicenseAddress;
  readonly meant_address: string;
}

/** Asks whether a private address is meant, before anything is charged (contract 1.8). */
export function askIfMeant({ value, issues }: z.core.ParsePayload<Placement>): void {
  const { ip_address, meant_address } = value;
  if (!isPrivateAddress(ip_address) || meant_address === ip_address) return;
  const message = `${ip_address} is a private address: it cannot be reached from the internet. Is that intended?`;
  issues.push({ code: "custom", path: ["meant_address"], input: meant_address, message });
}

/** What one cycle costs: decimal text in major units. What each may hold is the service's to say. */
export const prices = { price: z.string(), setup_fee: z.string(), price_per_core: z.string() };

export function toPrice<Fields extends { setup_fee: string; price_per_core: string }>(fields: Fields) {
  const { setup_fee, price_per_core, ...rest } = fields;
  return { ...rest, setupFee: setup_fee, pricePerCore: price_per_core };
}

const REFERENCE_MAX_LENGTH = 100;
/** Of a payment, such as the number of a bank statement. */
export const reference = parameter.limited(REFERENCE_MAX_LENGTH);
