"use server";
import { z } from "zod";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { changeOwnPassword } from "#lib/services/user/change-password.ts";

/** For users who came in with a one-time password, which can do nothing else. */
export const setPassword = defineAction({
  name: "new-password.setPassword",
  input: z.strictObject({ new_password: z.string() }),
  repeatable: true,
  during: "new_password",
  run: (ctx, { newPassword }) => changeOwnPassword(ctx, { currentPassword: null, newPassword }),
});
