import { headers } from "next/headers";
import { PEER_HEADER, rateLimitSource, sourceAddress } from "#lib/domain/source-address.ts";
import { getRuntime } from "#lib/runtime.ts";

/** Waits for the turn of a page that anyone may load. @throws DomainError `unavailable` */
export async function takeVisitorTurn(): Promise<void> {
  const { address } = await findVisitor();
  await getRuntime().takePageTurn(rateLimitSource(address));
}

/** Source address and browser of the current request. */
export async function findVisitor(): Promise<{ readonly address: string; readonly userAgent: string }> {
  const given = await headers();
  return {
    address: sourceAddress({
      peer: given.get(PEER_HEADER) ?? "",
      forwardedFor: given.get("x-forwarded-for"),
      trustedProxies: getRuntime().trustedProxies,
    }),
    userAgent: given.get("user-agent") ?? "",
  };
}
