"use server";
import { z } from "zod";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { retryMail, showMailLink } from "#lib/services/mail/outbox.ts";

const input = z.strictObject({ mail_id: z.string().regex(/^[1-9]\d{0,17}$/) });

export const retry = defineAction({
  name: "outbox.retry",
  input,
  revalidate: ["/outbox"],
  run: retryMail,
});

export const showLink = defineAction({
  name: "outbox.showLink",
  input,
  unstored: { url: null },
  asksProof: true,
  run: async (ctx, mail): Promise<{ readonly url: string | null }> => showMailLink(ctx, mail),
});
