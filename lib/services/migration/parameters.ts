import { z } from "zod";
import { type Ipv4, parseIpv4 } from "#lib/domain/ipv4.ts";

const address = z.custom<Ipv4>((value) => typeof value === "string" && parseIpv4(value) === value);

/** What a job of the kind `migrate` has in common for its items, as it is stored. */
export const migrationParameters = z.object({ from: address, to: address });
export type MigrationParameters = z.output<typeof migrationParameters>;
