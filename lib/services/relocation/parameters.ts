import { z } from "zod";
import { type LicenseAddress, parseLicenseAddress } from "#lib/domain/license-address.ts";

const address = z.custom<LicenseAddress>((value) => typeof value === "string" && parseLicenseAddress(value) === value);

/** Stored parameters of a job of the kind `relocate`. */
export const relocationParameters = z.strictObject({ from: address, to: address });
export type RelocationParameters = z.output<typeof relocationParameters>;
