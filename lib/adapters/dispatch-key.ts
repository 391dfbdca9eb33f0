import type { ProviderLookUp } from "#lib/ports/license-provider.ts";
import { readAnswer } from "./dispatch-answers.ts";
import type { DispatchTransport } from "./dispatch-transport.ts";

/** The last id that there can be. Of a license that is there after all, and active, this changes nothing. */
const HARMLESS = { query: { endpoint: "license.unsuspend" }, fields: { license_id: "2147483647" } };

/**
 * Uses up the idempotency key of a request that has left no trace at the provider: another request, which is refused,
 * is sent under it. From then on the key stands for that refusal (24 hours, contract 1.11), and the real request is
 * answered with an error if it still arrives. Only a replayed answer proves that the provider keeps it: it is asked twice.
 */
export async function burnKey(
  transport: DispatchTransport,
  idempotencyKey: string,
  timeoutMs: number,
): Promise<ProviderLookUp> {
  for (let tries = 1; ; tries++) {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = readAnswer(await transport.send({ method: "POST", path: "", ...HARMLESS, idempotencyKey, signal }));
    switch (answer.kind) {
      case "refused":
        // The provider has the real request: what became of it shows in its state, or will.
        if (answer.code === "IDEMPOTENCY_KEY_REUSED") return { kind: "not_found", isVoid: false };
        if (answer.status >= 500 || answer.status === 429 || answer.code === "IDEMPOTENCY_IN_PROGRESS") {
          return { kind: "unreachable", message: `The provider does not answer that (${answer.code}).` };
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
