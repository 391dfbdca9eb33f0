"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { Done, NewUserInput, PasswordShown, UserRef } from "#components/user/user.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { findUser } from "#lib/dashboard/session.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { createUser } from "#lib/services/user/create.ts";
import { resetUserPassword } from "#lib/services/user/reset-password.ts";
import { setUserDisabled } from "#lib/services/user/set-disabled.ts";

/** The first parameter of each, bound by the page: the reseller that an admin looks at; of no effect for others. */
type Whose = number | null;

const newUserSchema = z.object({ name: z.string(), email: z.string() });
const userSchema = z.object({ user_id: z.int32().positive() });
const done: Done = { done: true };

/** The kept answer to the idempotency key is without the password: sent again, it tells no more than that it was made. */
export async function create(
  whose: Whose,
  input: NewUserInput,
  idempotencyKey: string,
): Promise<ActionResult<PasswordShown>> {
  let oneTimePassword: string | null = null;
  const user = await findUser();
  const resellerId = user?.role === "reseller" ? user.resellerId : (whose as ResellerId | null);
  const result = await runAction({
    name: "users.create",
    schema: newUserSchema,
    input,
    ...scope(resellerId, idempotencyKey),
    run: async (ctx, person) => {
      ({ oneTimePassword } = await createUser(ctx, { ...person, resellerId }));
      return { email: person.email.trim().toLowerCase() };
    },
  });
  return shown(result.ok ? { ok: true, value: { ...result.value, oneTimePassword } } : result);
}

export async function resetPassword(
  whose: Whose,
  input: UserRef,
  idempotencyKey: string,
): Promise<ActionResult<PasswordShown>> {
  let oneTimePassword: string | null = null;
  const result = await runAction({
    name: "users.resetPassword",
    schema: userSchema,
    input,
    ...scope(whose, idempotencyKey),
    run: async (ctx, { user_id }) => {
      const reset = await resetUserPassword(ctx, { userId: user_id as UserId });
      oneTimePassword = reset.oneTimePassword;
      return { email: reset.email };
    },
  });
  return shown(result.ok ? { ok: true, value: { ...result.value, oneTimePassword } } : result);
}

export async function disable(whose: Whose, input: UserRef, idempotencyKey: string): Promise<ActionResult<Done>> {
  return setDisabled("users.disable", whose, input, idempotencyKey, true);
}

export async function enable(whose: Whose, input: UserRef, idempotencyKey: string): Promise<ActionResult<Done>> {
  return setDisabled("users.enable", whose, input, idempotencyKey, false);
}

async function setDisabled(name: string, whose: Whose, input: UserRef, idempotencyKey: string, disabled: boolean) {
  return shown(
    await runAction({
      name,
      schema: userSchema,
      input,
      ...scope(whose, idempotencyKey),
      run: async (ctx, { user_id }) => {
        await setUserDisabled(ctx, { userId: user_id as UserId, disabled });
        return done;
      },
    }),
  );
}

function scope(whose: number | null, idempotencyKey: string) {
  return whose === null ? { idempotencyKey } : { forReseller: whose as ResellerId, idempotencyKey };
}

function shown<Value>(result: ActionResult<Value>): ActionResult<Value> {
  revalidatePath("/users");
  revalidatePath("/settings", "layout");
  revalidatePath("/resellers", "layout");
  return result;
}
