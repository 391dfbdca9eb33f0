"use server";
import { z } from "zod";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { changeOwnPassword } from "#lib/services/user/change-password.ts";
import { endOwnSession } from "#lib/services/user/own-sessions.ts";
import { changeOwnName } from "#lib/services/user/rename.ts";

export const rename = defineAction({
  name: "settings.rename",
  input: z.object({ name: z.string() }),
  repeatable: true,
  revalidateOnSuccess: ["/"],
  run: async (ctx, input) => {
    await changeOwnName(ctx, input);
  },
});

export const changePassword = defineAction({
  name: "settings.changePassword",
  input: z.object({ current_password: z.string(), new_password: z.string() }),
  repeatable: true,
  revalidateOnSuccess: ["/settings"],
  run: async (ctx, { current_password, new_password }, _, { sessionId }) => {
    await changeOwnPassword(ctx, { currentPassword: current_password, newPassword: new_password, sessionId });
  },
});

export const endSession = defineAction({
  name: "settings.endSession",
  input: z.object({ session_id: z.uuid() }),
  repeatable: true,
  revalidate: ["/settings"],
  run: async (ctx, { session_id }) => {
    await endOwnSession(ctx, { sessionId: session_id });
  },
});
