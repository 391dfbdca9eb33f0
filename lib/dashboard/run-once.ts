import { hashRequest } from "#lib/domain/request-hash.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { answerOnce } from "#lib/services/idempotency/answer-once.ts";

const OK = 200;

interface KeyedAction<Value> {
  readonly name: string;
  readonly idempotencyKey?: string | undefined;
  readonly unstored?: Partial<Value> | undefined;
}

/**
 * Runs an action once per key, and returns the stored value if the key is sent again (contract 1.11). Errors are not
 * stored, so a corrected form can be sent again.
 * @param sent every argument that distinguishes requests
 * @throws DomainError `idempotency_key_reused`, `idempotency_in_progress`, `unavailable`, and what `run` throws
 */
export async function runOnce<Value>(
  ctx: ServiceContext,
  { name, idempotencyKey, unstored }: KeyedAction<Value>,
  sent: Readonly<Record<string, unknown>>,
  run: (ctx: ServiceContext) => Promise<Value>,
): Promise<Value> {
  if (idempotencyKey === undefined) return run(ctx);
  const intent = Object.entries(sent).map(([argument, value]) => [argument, withoutConditions(value)]);
  const requestHash = hashRequest(`dashboard ${name}`, Object.fromEntries(intent));
  let ran: Value | undefined;
  const { answer, isReplayed } = await answerOnce(
    ctx,
    { key: idempotencyKey, requestHash },
    {
      answer: async (claimed) => {
        ran = await run(claimed);
        return { status: OK, body: JSON.stringify(unstored ? { ...ran, ...unstored } : (ran ?? null)) };
      },
      refuse: () => null,
    },
  );
  return isReplayed || ran === undefined ? (JSON.parse(answer.body) as Value) : ran;
}

/** An open form updates its price and version, so the same intent can be sent again with others. */
function withoutConditions(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return { ...value, agreed_price: undefined, seenVersion: undefined };
}
