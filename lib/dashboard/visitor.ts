import { headers } from "next/headers";
import { PEER_HEADER, sourceAddress } from "#lib/domain/source-address.ts";
import { getRuntime } from "#lib/runtime.ts";

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
