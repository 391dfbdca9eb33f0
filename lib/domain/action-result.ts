import type { AroundUnchanged, DomainErrorCode } from "./errors.ts";

/** Result of a server action: plain data that a form can show. */
export type ActionResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ActionError };

export interface ActionError {
  readonly code: DomainErrorCode | "signed_out" | "other_owner" | "proof_required" | "page_outdated" | "answer_lost";
  readonly message: string;
  readonly aroundUnchanged?: AroundUnchanged | undefined;
  /** Field name → problem, shown beside the field. */
  readonly fields: Readonly<Record<string, string>>;
  /** With `insufficient_balance` and `price_changed`. */
  readonly charge: RefusedCharge | null;
  /** Shown for the operator when the failure is internal. */
  readonly requestId: string | null;
}

/** The page is of another version than the server, which did nothing. */
export const PAGE_OUTDATED = {
  ok: false,
  error: {
    code: "page_outdated",
    message: "License Desk was updated. Nothing was done: copy what you have typed, then reload the page.",
    fields: {},
    charge: null,
    requestId: null,
  },
} as const satisfies ActionResult<never>;

/** Minor units of `currency`, as decimal text. */
export interface RefusedCharge {
  /** Current price. */
  readonly price: string;
  /** Amount missing from the balance; null if the balance was not the reason. */
  readonly missing: string | null;
  readonly currency: string;
}

/** A server action with its page's arguments bound. Runs once per idempotency key. */
export type OnceAction<Input, Value = unknown> = (
  input: Input,
  idempotencyKey?: string,
) => Promise<ActionResult<Value>>;

/** A server action without the first argument, which its page binds. */
export type Bound<Action> = Action extends (bound: never, ...sent: infer Sent) => infer Answer
  ? (...sent: Sent) => Answer
  : never;

/** What a form sends to an action. */
export type InputOf<Action extends (...sent: never) => unknown> = Parameters<Action>[0];

/** What an action returns. */
export type ValueOf<Action> = Action extends (...sent: never) => Promise<ActionResult<infer Value>> ? Value : never;

/** Unwraps the result of a query; throws on an error. */
export function requireValue<Value>(result: ActionResult<Value>): Value {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
