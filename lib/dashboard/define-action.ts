import { isDeepStrictEqual } from "node:util";
import { revalidatePath } from "next/cache";
import { unstable_rethrow } from "next/navigation";
import { z } from "zod";
import { type ActionError, type ActionResult, PAGE_OUTDATED } from "#lib/domain/action-result.ts";
import { type DomainError, isDomainError } from "#lib/domain/errors.ts";
import { type InCamelCase, inCamelCase } from "#lib/domain/field-names.ts";
import { isStorable } from "#lib/domain/text.ts";
import { traced } from "#lib/domain/trace.ts";
import { getRuntime } from "#lib/runtime.ts";
import { recordRefusal } from "#lib/services/audit/record-denial.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";
import { type ActionCaller, observeAction } from "./observe-action.ts";
import { runOnce } from "./run-once.ts";
import { contextOf, type FirstStep, findUser, keepSession, ownerOf } from "./session.ts";

const MAX_KEY_LENGTH = 200;
const BUILD = String(process.env.BUILD_ID);
const keySchema = z.string().max(MAX_KEY_LENGTH).refine(isStorable).optional();

interface ActionDeclaration<Bound extends z.ZodType, Input extends z.ZodType, Value> {
  /** Unique: the folders of its page and the exported name. */
  readonly name: string;
  /**
   * The first argument, bound by the page. `resellerId`: the reseller that an admin is viewing. `seenVersion`, here or
   * in the input: if it is outdated, the action returns `changed_meanwhile` and does nothing.
   */
  readonly bound?: Bound;
  readonly input?: Input;
  /** Pages to render again, also after an error on a page of this build. */
  readonly revalidate?: readonly string[];
  /** Pages to render again only on success, because they show the error. */
  readonly revalidateOnSuccess?: readonly string[];
  /** Ignores the idempotency key: repeating is harmless, or not even a hash of the input may be stored. */
  readonly repeatable?: true;
  /**
   * Secrets that only the first answer contains, with their replacements in replays. An answer that contains one renders
   * no page: Next would reload a page of an earlier build and lose the secret. `ShownOnce` renders it when the user leaves.
   */
  readonly unstored?: Partial<NoInfer<Value>>;
  /** Also for users who have to do this first. */
  readonly during?: FirstStep;
  /** Sensitive: the user must have proved who they are in the last ten minutes (docs/decisions/0052). */
  readonly asksProof?: true;
  /** Called by the page, not by the user: does not extend the session. */
  readonly inBackground?: true;
  /** The input has its names in camelCase. */
  run(
    ctx: ServiceContext,
    input: InCamelCase<z.output<Input>>,
    bound: z.output<Bound>,
    user: SignedInUser,
  ): Promise<Value>;
}

/** What JSON cannot hold: a value with it cannot be stored for a replay. */
type NoJson<Value> = Value extends bigint | Date
  ? Value
  : Value extends readonly (infer Item)[]
    ? NoJson<Item>
    : Value extends object
      ? { [Name in keyof Value]: NoJson<Value[Name]> }[keyof Value]
      : never;
type Storable<Value> = [NoJson<Value>] extends [never] ? unknown : { readonly repeatable: true };

/** What an answer calls that which lets someone in, or sends them something. */
type SecretName =
  | "apiKey"
  | "commands"
  | "invitationUrl"
  | "line"
  | "oneTimePassword"
  | "recoveryCodes"
  | "secret"
  | "signingSecret"
  | "url";
type Secrets<Value> = Extract<keyof Value, SecretName>;
type WithoutSecrets<Value> = [Secrets<Value>] extends [never]
  ? unknown
  : { readonly unstored: Pick<Value, Secrets<Value>> };

type BoundArguments<Sent> = [Sent] extends [undefined] ? [] : [bound: Sent];
type InputArguments<Sent> = undefined extends Sent ? [input?: Sent] : [input: Sent];

/** A server action: arguments bound by the page, the form's input, the form's idempotency key. */
export type ServerAction<Bound, Input, Value> = (
  ...sent: [...BoundArguments<Bound>, ...InputArguments<Input>, idempotencyKey?: string]
) => Promise<ActionResult<Value>>;

/** Declares a server action. Handles session, arguments, idempotency, errors and revalidation for all actions. */
export function defineAction<Value, Bound extends z.ZodType = z.ZodUndefined, Input extends z.ZodType = z.ZodUndefined>(
  action: ActionDeclaration<Bound, Input, Value> & Storable<NoInfer<Value>> & WithoutSecrets<NoInfer<Value>>,
): ServerAction<z.input<Bound>, z.input<Input>, Value> {
  return async (...sent: readonly unknown[]) => {
    const [bound, input, idempotencyKey] = action.bound ? sent : [undefined, ...sent];
    const result = await observeAction(action.name, (caller) =>
      answer(action, { bound, input, idempotencyKey }, caller),
    );
    const { revalidate = [], revalidateOnSuccess = [] } = action;
    const keepsPage = result.ok
      ? holdsSecret(result.value, action.unstored)
      : keepingCodes.includes(result.error.code) || isOfAnotherBuild(idempotencyKey);
    const shown = keepsPage ? [] : result.ok ? [...revalidate, ...revalidateOnSuccess] : revalidate;
    for (const path of shown) revalidatePath(path, "layout");
    return result;
  };
}

function holdsSecret<Value>(value: Value, unstored: Partial<Value> | undefined): boolean {
  return unstored !== undefined && !isDeepStrictEqual({ ...value, ...unstored }, value);
}

/**
 * Errors after which the form stays on the page: to be sent again after a lost session, in another one, with a proof, or
 * once the database is back, without which no page can be rendered; or to be copied from, where Next would load another
 * version's page.
 */
const keepingCodes: readonly ActionError["code"][] = [
  "signed_out",
  "other_owner",
  "proof_required",
  "unavailable",
  "page_outdated",
];

interface Sent {
  readonly bound: unknown;
  readonly input: unknown;
  readonly idempotencyKey: unknown;
}

async function answer<Bound extends z.ZodType, Input extends z.ZodType, Value>(
  action: ActionDeclaration<Bound, Input, Value>,
  sent: Sent,
  caller: ActionCaller,
): Promise<ActionResult<Value>> {
  let ctx: ServiceContext | null = null;
  try {
    const user = await findUser(action.during);
    if (!user) return failure("signed_out", "Your session has ended. Sign in again.");
    if (!action.inBackground) await keepSession(user);
    const bound = (action.bound ?? z.undefined()).safeParse(sent.bound);
    const key = keySchema.safeParse(sent.idempotencyKey);
    if (!bound.success || !key.success || findUnstorable(sent.bound) !== null) return PAGE_OUTDATED;
    if (!isOfOwner(key.data, ownerOf(user))) {
      return failure("other_owner", "This page belongs to another user, role or mode than you are in now. Reload it.");
    }
    const input = (action.input ?? z.undefined()).safeParse(sent.input);
    if (!input.success) {
      return isOfAnotherVersion(input.error, sent.input) ? PAGE_OUTDATED : invalidFields(fieldsOf(input.error));
    }
    const unstorable = findUnstorable(sent.input);
    if (unstorable !== null) return invalidFields({ [unstorable]: "has characters that cannot be stored" });
    if (action.asksProof && !user.isProven) return failure("proof_required", "Confirm that it is you.");
    const called = contextOf(user, scopeOf(bound.data, input.data));
    ctx = called;
    Object.assign(caller, { requestId: called.requestId, resellerId: user.resellerId });
    // A key belongs to its user, not to other users or API keys of the reseller.
    const isKeyed = key.data && !key.data.endsWith(":") && !action.repeatable;
    const request = { ...action, idempotencyKey: isKeyed ? `web:${user.userId}:${key.data}` : undefined };
    const begins = { id: called.requestId, role: "begins" } as const;
    const value = await traced({ name: `action ${action.name}`, kind: "server", request: begins }, () =>
      runOnce(called, request, { input: input.data, bound: bound.data }, (claimed) =>
        action.run(claimed, inCamelCase(input.data as z.output<Input>), bound.data as z.output<Bound>, user),
      ),
    );
    return { ok: true, value };
  } catch (error) {
    unstable_rethrow(error);
    if (isDomainError(error)) {
      if (ctx && error.code === "permission_denied") await recordRefusal(ctx, `action:${action.name}`);
      const { code, message, details: fields, aroundUnchanged } = error;
      return failure(code, message, { fields, charge: chargeOf(error), aroundUnchanged });
    }
    const requestId = ctx?.requestId ?? null;
    getRuntime().log.error({ err: error, requestId }, "action failed");
    return failure("internal", "Something went wrong on our side. Check for the change before you try again.", {
      requestId,
    });
  }
}

/** Which page a call names, if it does (`components/form/idempotency-key.ts`). */
const pageOf = (key: unknown) => /^(?:(?<build>[^/]*)\/)?(?<owner>[^/]+):[^:]*$/s.exec(String(key))?.groups;

/** A page left in another tab must not act for another owner. */
function isOfOwner(key: string | undefined, owner: string): boolean {
  return (pageOf(key)?.owner ?? owner) === owner;
}

/** Next would reload such a page, and its user would never read a refusal. */
function isOfAnotherBuild(key: unknown): boolean {
  return (pageOf(key)?.build ?? BUILD) !== BUILD;
}

function scopeOf(bound: unknown, input: unknown): Parameters<typeof contextOf>[1] {
  const { resellerId, seenVersion = Object(input).seenVersion } = Object(bound);
  return { forReseller: resellerId ?? null, seenVersion: seenVersion ?? null };
}

/** The field with text that the database would reject or change, or null. */
function findUnstorable(value: unknown, field = ""): string | null {
  if (typeof value === "string") return isStorable(value) ? null : field;
  if (typeof value !== "object" || value === null) return null;
  for (const [name, part] of Object.entries(value)) {
    const found = findUnstorable(part, field || name);
    if (found !== null) return found;
  }
  return null;
}

/** Forms send all of their fields, and no others: one that this version does not know would be a wish left out. */
function isOfAnotherVersion({ issues }: z.ZodError, sent: unknown): boolean {
  return issues.some(
    ({ code, path: [field] }) =>
      code === "unrecognized_keys" || (code !== "custom" && !(String(field) in Object(sent))),
  );
}

function fieldsOf(error: z.ZodError): Record<string, string> {
  return Object.fromEntries(error.issues.toReversed().map(({ path, message }) => [String(path[0] ?? ""), message]));
}

function chargeOf({ amounts }: DomainError): ActionError["charge"] {
  if (amounts === undefined) return null;
  const { price, missing, currency } = amounts;
  return { price: price.toString(), missing: missing?.toString() ?? null, currency };
}

/** Its form marks the fields. The message is read where it has none of them: it is of another version than this server. */
function invalidFields(fields: Record<string, string>) {
  const message = "This version of License Desk does not accept that. Copy what you have typed, then reload the page.";
  return failure("parameters_invalid", message, { fields });
}

function failure(
  code: ActionError["code"],
  message: string,
  rest: Partial<Omit<ActionError, "code" | "message">> = {},
): { ok: false; error: ActionError } {
  return { ok: false, error: { code, message, fields: {}, charge: null, requestId: null, ...rest } };
}
