"use server";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { FoundReseller } from "#components/reseller/reseller-suggestions.tsx";
import { runAction } from "#lib/dashboard/action.ts";
import { searchResellers } from "#lib/services/reseller/search.ts";

const MAX_FOUND = 8;

/** For a choice: the newest resellers with this text in name or email address. */
export async function findResellers(text: string): Promise<ActionResult<readonly FoundReseller[]>> {
  return runAction({
    name: "resellers.findResellers",
    schema: z.string().trim().max(200),
    input: text,
    run: async (ctx, searched) => {
      const { resellers } = await searchResellers(ctx, { text: searched || null, before: null, limit: MAX_FOUND });
      return resellers.map(({ resellerId, name, email }) => ({ id: resellerId, name, email }));
    },
  });
}
