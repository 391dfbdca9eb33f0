"use server";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { Done, PasswordInput } from "#components/settings/settings.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { findSessionUser } from "#lib/dashboard/session.ts";
import { changeOwnPassword } from "#lib/services/user/change-password.ts";

/** Of those who came in with a one-time password, which can do nothing else. */
export async function setPassword(input: PasswordInput): Promise<ActionResult<Done>> {
  const sessionId = (await findSessionUser())?.sessionId ?? "";
  return runAction({
    name: "new-password.setPassword",
    schema: z.object({ current_password: z.string(), new_password: z.string() }),
    input,
    withOneTimePassword: true,
    run: async (ctx, { current_password, new_password }) => {
      await changeOwnPassword(ctx, { currentPassword: current_password, newPassword: new_password, sessionId });
      return { done: true };
    },
  });
}
