"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { Done, PasswordInput } from "#components/settings/settings.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { requireUser } from "#lib/dashboard/session.ts";
import { changeOwnPassword } from "#lib/services/user/change-password.ts";
import { endOwnSession } from "#lib/services/user/own-sessions.ts";
import { changeOwnName } from "#lib/services/user/rename.ts";

const done: Done = { done: true };

/** Needs no key, as those below: twice is the same as once. */
export async function rename(input: { readonly name: string }): Promise<ActionResult<Done>> {
  const result = await runAction({
    name: "settings.rename",
    schema: z.object({ name: z.string() }),
    input,
    run: async (ctx, { name }) => {
      await changeOwnName(ctx, { name });
      return done;
    },
  });
  if (result.ok) revalidatePath("/", "layout");
  return result;
}

/** Without a key: of what is sent under one, a hash is kept. */
export async function changePassword(input: PasswordInput): Promise<ActionResult<Done>> {
  const { sessionId } = await requireUser();
  const result = await runAction({
    name: "settings.changePassword",
    schema: z.object({ current_password: z.string(), new_password: z.string() }),
    input,
    run: async (ctx, { current_password, new_password }) => {
      await changeOwnPassword(ctx, { currentPassword: current_password, newPassword: new_password, sessionId });
      return done;
    },
  });
  if (result.ok) revalidatePath("/settings", "layout");
  return result;
}

export async function endSession(input: { readonly session_id: string }): Promise<ActionResult<Done>> {
  const result = await runAction({
    name: "settings.endSession",
    schema: z.object({ session_id: z.uuid() }),
    input,
    run: async (ctx, { session_id }) => {
      await endOwnSession(ctx, { sessionId: session_id });
      return done;
    },
  });
  revalidatePath("/settings", "layout");
  return result;
}
