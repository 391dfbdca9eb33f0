"use server";
import { z } from "zod";
import { defineVisitorAction } from "#lib/dashboard/define-visitor-action.ts";
import { unsubscribe } from "#lib/services/mail/unsubscribe.ts";

export const stop = defineVisitorAction({
  name: "stop-messages.stop",
  input: z.strictObject({ token: z.string().max(200) }),
  run: unsubscribe,
});
