"use server";
import { z } from "zod";
import { defineVisitorAction } from "#lib/dashboard/define-visitor-action.ts";
import { requestPasswordReset } from "#lib/services/user/request-password-reset.ts";

/** Answers the same for every address. */
export const requestLink = defineVisitorAction({
  name: "forgot-password.requestLink",
  input: z.strictObject({ email: z.string().max(254) }),
  run(ctx, { email }, { address }) {
    return requestPasswordReset(ctx, { email, address });
  },
});
