import { z } from "zod";
import { type LicenseAddress, parseLicenseAddress } from "#lib/domain/license-address.ts";

const address = z.custom<LicenseAddress>((value) => typeof value === "string" && parseLicenseAddress(value) === value);

/** What a job of the kind `relocate` has in common for its items, as it is stored. */
export const relocationParameters = z.object({ from: address, to: address });
export type RelocationParameters = z.output<typeof relocationParameters>;
