import type { ProviderLookUp } from "#lib/ports/license-provider.ts";
import type { DispatchTransport } from "./dispatch-transport.ts";
import { parseReply } from "./parse-reply.ts";

/** The largest possible id. Even if that license existed and were active, this would change nothing. */
const HARMLESS_REQUEST = { query: { endpoint: "license.unsuspend" }, fields: { license_id: "2147483647" } };

/**
 * Uses up the idempotency key of a request that left no trace at the provider: it sends another request under the key,
 * which is rejected. From then on the key maps to that rejection (24 hours, contract 1.11), and the real request gets
 * an error if it still arrives. Only a replayed response proves that the provider stores it, so it is sent twice.
 * `received`: the provider has the real request, perhaps only since its state was read.
 */
export async function voidRequestKey(
  transport: DispatchTransport,
  idempotencyKey: string,
  timeoutMs: number,
): Promise<ProviderLookUp | { readonly kind: "received" }> {
  for (let tries = 1; ; tries++) {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = parseReply(
      await transport.send({ method: "POST", path: "", ...HARMLESS_REQUEST, idempotencyKey, signal }),
    );
    switch (answer.kind) {
      case "error":
        if (answer.code === "IDEMPOTENCY_KEY_REUSED") return { kind: "received" };
        if (answer.status >= 500 || answer.status === 429 || answer.code === "IDEMPOTENCY_IN_PROGRESS") {
          return { kind: "unreachable", message: `The provider rejected the query (${answer.code}).` };
        }
        if (answer.replayed) return { kind: "not_found", isVoid: true };
        if (tries === 2) return { kind: "not_found", isVoid: false };
        break;
      case "not_sent":
      case "unknown":
        return { kind: "unreachable", message: answer.message };
      case "data":
      case "pending":
      case "withheld":
        return { kind: "not_found", isVoid: false };
      default:
        return answer satisfies never;
    }
  }
}
