"use server";
import { z } from "zod";
import { defineVisitorAction } from "#lib/dashboard/define-visitor-action.ts";
import { mailSettingsOf } from "#lib/services/mail/settings.ts";
import { requestPasswordReset } from "#lib/services/user/request-password-reset.ts";

/** Answers the same for every address. */
export const requestLink = defineVisitorAction({
  name: "forgot-password.requestLink",
  input: z.object({ email: z.string().max(254) }),
  async run(ctx, { email }, { address }) {
    await requestPasswordReset(ctx, { email, address });
    return { hasServer: mailSettingsOf(ctx).hasServer };
  },
});
