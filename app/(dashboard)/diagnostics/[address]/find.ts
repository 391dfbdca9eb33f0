import { notFound } from "next/navigation";
import { isDomainError } from "#lib/domain/errors.ts";
import { type Ipv4, parseIpv4 } from "#lib/domain/ipv4.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { getServer } from "#lib/services/diagnostics/get-server.ts";

/**
 * What is known of the server at an address; `found` is null before its first report. An address without a license of
 * this reseller is not found (decisions 1.12).
 */
export async function findServer(
  ctx: ServiceContext,
  text: string,
): Promise<{ readonly address: Ipv4; readonly found: Awaited<ReturnType<typeof getServer>> }> {
  const address = parseIpv4(text);
  if (address === null) notFound();
  try {
    return { address, found: await getServer(ctx, { address }) };
  } catch (error) {
    if (isDomainError(error) && error.code === "not_found") notFound();
    throw error;
  }
}
