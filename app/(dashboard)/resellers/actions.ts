"use server";
import { z } from "zod";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { searchResellers } from "#lib/services/reseller/search.ts";

const MAX_FOUND = 8;

/** For a choice: the newest resellers with this text in name or email address. */
export const findResellers = defineAction({
  name: "resellers.findResellers",
  input: z.string().trim().max(200),
  run: async (ctx, text) => {
    const { rows: resellers } = await searchResellers(ctx, { text: text || null, before: null, limit: MAX_FOUND });
    return resellers.map(({ resellerId, name, email }) => ({ id: resellerId, title: name, detail: email }));
  },
});
