import { notFound } from "next/navigation";
import { cache } from "react";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { type Ipv4, parseIpv4 } from "#lib/domain/ipv4.ts";
import { getServer } from "#lib/services/diagnostics/get-server.ts";

export interface FoundServer {
  readonly address: Ipv4;
  /** Null before its first report. */
  readonly found: Awaited<ReturnType<typeof getServer>>;
}

/** What is known of the server at an address of which this reseller has a license. `text`: as in the address. */
export const findServer = cache(async (text: string): Promise<FoundServer> => {
  const ctx = contextOf(await requireResellerUser("diagnostics:read"));
  const address = parseIpv4(text);
  return address === null ? notFound() : { address, found: await orNotFound(getServer(ctx, { address })) };
});
