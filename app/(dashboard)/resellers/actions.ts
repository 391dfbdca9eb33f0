"use server";
import { z } from "zod";
import type { FoundReseller } from "#components/reseller/reseller-suggestions.tsx";
import { runAction } from "#lib/dashboard/action.ts";
import { searchResellers } from "#lib/services/reseller/search.ts";

const MAX_FOUND = 8;

/** For a choice: the newest resellers with this text in name or email address. Throws when there is no answer. */
export async function findResellers(text: string): Promise<readonly FoundReseller[]> {
  const result = await runAction({
    name: "resellers.findResellers",
    schema: z.string().trim().max(200),
    input: text,
    run: async (ctx, searched) => {
      const { resellers } = await searchResellers(ctx, { text: searched || null, before: null, limit: MAX_FOUND });
      return resellers.map(({ resellerId, name, email }) => ({ id: resellerId, name, email }));
    },
  });
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
