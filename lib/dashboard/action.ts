import { unstable_rethrow } from "next/navigation";
import { z } from "zod";
import { type DomainError, type DomainErrorCode, isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { isStorable } from "#lib/domain/text.ts";
import { getRuntime } from "#lib/runtime.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";
import { runOnce } from "./run-once.ts";
import { contextOf, findSessionUser, findUser, keepSession } from "./session.ts";

/** Of an idempotency key. */
const MAX_KEY_LENGTH = 200;

/** What a server action answers: plain data that a form can show. */
export type ActionResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ActionError };

export interface ActionError {
  readonly code: DomainErrorCode | "signed_out";
  readonly message: string;
  /** Field name → what is wrong with it, to be shown beside the field. */
  readonly fields: Readonly<Record<string, string>>;
  /** With `insufficient_balance` and `price_changed`; minor units of `currency`, as decimal text. */
  readonly charge: { readonly price: string; readonly missing: string | null; readonly currency: string } | null;
  /** For the operator, when something went wrong on our side. */
  readonly requestId: string | null;
}

interface Action<Schema extends z.ZodType, Value> {
  /** Unique among all actions: the folders of its page and the exported function's name. */
  readonly name: string;
  /** What it acts on, where the page has bound that and neither `input` nor `forReseller` says it. */
  readonly about?: number;
  readonly schema: Schema;
  readonly input: unknown;
  /** The reseller that an admin looks at. */
  readonly forReseller?: ResellerId;
  /** Chosen by the form when it opened: sent twice, it is done once. */
  readonly idempotencyKey?: string;
  /**
   * Of what the page showed (`versionOf`): when that has changed since, the answer is `changed_meanwhile` and nothing is
   * done. For whatever costs money, cannot be taken back, or replaces what was shown.
   */
  readonly seenVersion?: string;
  /** For the one action of those who have to choose a password first. */
  readonly withOneTimePassword?: true;
  /** Asked for by the page, not by the person: it does not keep the session from going idle. */
  readonly inBackground?: true;
  run(ctx: ServiceContext, input: z.output<Schema>): Promise<Value>;
}

/** The parts of an argument, any of which may be missing: a browser may send whatever it likes in its place. */
export function partsOf<Sent extends object>(sent: Sent): Sent {
  return typeof sent === "object" && sent !== null ? sent : ({} as Sent);
}

/** What pages bind and forms choose, as it may come back from a browser. */
const boundSchema = z.object({
  about: z.int32().positive().optional(),
  forReseller: z.int32().positive().optional(),
  idempotencyKey: z.string().max(MAX_KEY_LENGTH).refine(isStorable).optional(),
  seenVersion: z.string().refine(isStorable).optional(),
});

/** The one way from a page to the services: session, input, call, error. Values must be plain JSON. */
export async function runAction<Schema extends z.ZodType, Value>(
  action: Action<Schema, Value>,
): Promise<ActionResult<Value>> {
  let requestId: string | null = null;
  try {
    const user = await (action.withOneTimePassword ? findSessionUser() : findUser());
    if (!user) return failure("signed_out", "Your session has ended. Sign in again.");
    if (!action.inBackground) await keepSession(user);
    if (!boundSchema.safeParse(action).success) {
      return failure("parameters_invalid", "The page has sent something else than it shows. Load it again.");
    }
    const parsed = action.schema.safeParse(action.input);
    if (!parsed.success) {
      return failure("parameters_invalid", "Check the marked fields.", { fields: fieldsOf(parsed.error) });
    }
    const unstorable = findUnstorable(action.input);
    if (unstorable !== null) {
      const fields = { [unstorable]: "has characters that cannot be stored" };
      return failure("parameters_invalid", "Check the marked fields.", { fields });
    }
    const scoped = { ...action, ...scopedKey(user, action) };
    const ctx = contextOf(user, scoped);
    requestId = ctx.requestId;
    return { ok: true, value: await runOnce(ctx, scoped, parsed.data, action.run) };
  } catch (error) {
    unstable_rethrow(error);
    if (isDomainError(error)) {
      return failure(error.code, error.message, { fields: error.details, charge: chargeOf(error) });
    }
    getRuntime().log.error({ err: error, requestId }, "action failed");
    return failure("internal", "Something went wrong on our side. Nothing was changed if you see no sign of it.", {
      requestId,
    });
  }
}

/** The field with text that the database would refuse or change; null if there is none. */
function findUnstorable(value: unknown, field = ""): string | null {
  if (typeof value === "string") return isStorable(value) ? null : field;
  if (typeof value !== "object" || value === null) return null;
  for (const [name, part] of Object.entries(value)) {
    const found = findUnstorable(part, field || name);
    if (found !== null) return found;
  }
  return null;
}

/** A user's keys are that user's alone: what one was answered, another of the same reseller, or an API key, is not. */
function scopedKey({ userId }: SignedInUser, { idempotencyKey }: { readonly idempotencyKey?: string }) {
  return idempotencyKey === undefined ? {} : { idempotencyKey: `web:${userId}:${idempotencyKey}` };
}

function fieldsOf(error: z.ZodError): Record<string, string> {
  return Object.fromEntries(error.issues.toReversed().map(({ path, message }) => [String(path[0] ?? ""), message]));
}

function chargeOf({ amounts }: DomainError): ActionError["charge"] {
  if (amounts === undefined) return null;
  const { price, missing, currency } = amounts;
  return { price: price.toString(), missing: missing?.toString() ?? null, currency };
}

function failure(
  code: ActionError["code"],
  message: string,
  rest: Partial<Omit<ActionError, "code" | "message">> = {},
): { ok: false; error: ActionError } {
  return { ok: false, error: { code, message, fields: {}, charge: null, requestId: null, ...rest } };
}
