import type { DomainErrorCode } from "#lib/domain/errors.ts";

/** What a server action answers, as forms see it. */
export type ActionResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ActionError };

/** Minor units of `currency`, as decimal text. */
export interface RefusedCharge {
  /** What it costs now. */
  readonly price: string;
  /** What the balance lacks to pay it; null: that was not the reason. */
  readonly missing: string | null;
  readonly currency: string;
}

export interface ActionError {
  readonly code: DomainErrorCode | "signed_out";
  readonly message: string;
  /** Field name → what is wrong with it. */
  readonly fields: Readonly<Record<string, string>>;
  /** With `insufficient_balance` and `price_changed`. */
  readonly charge: RefusedCharge | null;
  readonly requestId: string | null;
}

/** For queries, which throw when there is no answer. */
export function requireValue<Value>(result: ActionResult<Value>): Value {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** A server action that may be sent again under the same key without being done twice. */
export type OnceAction<Input, Value> = (input: Input, idempotencyKey: string) => Promise<ActionResult<Value>>;
