import type { DomainErrorCode } from "./errors.ts";

/** What a server action answers: plain data that a form can show. */
export type ActionResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ActionError };

export interface ActionError {
  readonly code: DomainErrorCode | "signed_out";
  readonly message: string;
  /** Field name → what is wrong with it, to be shown beside the field. */
  readonly fields: Readonly<Record<string, string>>;
  /** With `insufficient_balance` and `price_changed`. */
  readonly charge: RefusedCharge | null;
  /** For the operator, when something went wrong on our side. */
  readonly requestId: string | null;
}

/** Minor units of `currency`, as decimal text. */
export interface RefusedCharge {
  /** What it costs now. */
  readonly price: string;
  /** What the balance lacks to pay it; null: that was not the reason. */
  readonly missing: string | null;
  readonly currency: string;
}

/** A server action without what its page has bound. Repeated under the same key, it is carried out once. */
export type OnceAction<Input, Value = unknown> = (
  input: Input,
  idempotencyKey?: string,
) => Promise<ActionResult<Value>>;

/** For queries, which throw when there is no answer. */
export function requireValue<Value>(result: ActionResult<Value>): Value {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
