import type { z } from "zod";
import { type ActionResult, PAGE_OUTDATED } from "#lib/domain/action-result.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import { isStorable } from "#lib/domain/text.ts";
import { getRuntime } from "#lib/runtime.ts";
import type { VisitorContext } from "#lib/services/context.ts";
import { type ActionCaller, observeAction } from "./observe-action.ts";
import { findVisitor, takeVisitorTurn } from "./visitor.ts";

interface VisitorActionDeclaration<Input extends z.ZodType, Value> {
  /** Unique: the folders of its page and the exported name. */
  readonly name: string;
  readonly input: Input;
  run(ctx: VisitorContext, input: z.output<Input>, visitor: { readonly address: string }): Promise<Value>;
}

/** For services that visitors call before they sign in. */
export function visitorContext(
  requestId = `web_${crypto.randomUUID()}`,
  address: string | null = null,
): VisitorContext {
  const { db, now, mailLimiter, randomBytes, settings } = getRuntime().contextFor(
    { kind: "system", name: "visitor" },
    { requestId },
  );
  return { address, db, now, mailLimiter, randomBytes, settings, requestId };
}

/** Declares a server action of a page that needs no session. It proves nobody and stores no answers. */
export function defineVisitorAction<Value, Input extends z.ZodType>(
  action: VisitorActionDeclaration<Input, Value>,
): (input: z.input<Input>, idempotencyKey?: string) => Promise<ActionResult<Value>> {
  const answer = async (sent: unknown, caller: ActionCaller): Promise<ActionResult<Value>> => {
    const requestId = `web_${crypto.randomUUID()}`;
    caller.requestId = requestId;
    try {
      await takeVisitorTurn();
      const input = action.input.safeParse(sent);
      if (!input.success || !Object.values(Object(input.data)).every((value) => isStorable(String(value)))) {
        return PAGE_OUTDATED;
      }
      const visitor = await findVisitor();
      const ctx = visitorContext(requestId, visitor.address);
      return { ok: true, value: await action.run(ctx, input.data, visitor) };
    } catch (error) {
      if (isDomainError(error)) {
        const { code, message, details } = error;
        return { ok: false, error: { code, message, fields: details, charge: null, requestId: null } };
      }
      getRuntime().log.error({ err: error, requestId }, "action failed");
      const message = "Something went wrong on our side. Try again.";
      return { ok: false, error: { code: "internal", message, fields: {}, charge: null, requestId } };
    }
  };
  return (sent) => observeAction(action.name, (caller) => answer(sent, caller));
}
