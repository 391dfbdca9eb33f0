import type { ResellerId } from "#lib/domain/ids.ts";
import { hashRequest } from "#lib/domain/request-hash.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { answerOnce } from "#lib/services/idempotency/answer-once.ts";

const OK = 200;

interface KeyedAction {
  readonly name: string;
  readonly about?: number;
  readonly forReseller?: ResellerId;
  readonly idempotencyKey?: string;
}

/**
 * Runs an action once per key and returns the stored value when the key comes again (contract 1.11). A refusal is not
 * stored: the form is corrected and sent again.
 * @throws DomainError `idempotency_key_reused`, `idempotency_in_progress`, `unavailable`, and what `run` throws
 */
export async function runOnce<Input, Value>(
  ctx: ServiceContext,
  { name, about, forReseller, idempotencyKey }: KeyedAction,
  input: Input,
  run: (ctx: ServiceContext, input: Input) => Promise<Value>,
): Promise<Value> {
  if (idempotencyKey === undefined) return run(ctx, input);
  const requestHash = hashRequest(`dashboard ${name}`, { about, forReseller, input: intentOf(input) });
  const { answer } = await answerOnce(
    ctx,
    { key: idempotencyKey, requestHash },
    {
      answer: async (claimed) => ({ status: OK, body: JSON.stringify(await run(claimed, input)) }),
      refuse: () => null,
    },
  );
  return JSON.parse(answer.body) as Value;
}

/** Without the price: a form that is open keeps it up to date, so the same intent can come again with another one. */
function intentOf(input: unknown): unknown {
  const priced = typeof input === "object" && input !== null && "agreed_price" in input;
  return priced ? { ...input, agreed_price: undefined } : input;
}
