"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { NewResellerInput, ResellerCreated } from "#components/reseller/settings.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { createReseller } from "#lib/services/reseller/create.ts";

const schema = z.object({
  name: z.string(),
  currency: z.string().trim(),
  person: z.string().trim().min(1, "is required").max(100, "must have at most 100 characters"),
  email: z.string(),
  notes: z.string().max(4_000, "must have at most 4000 characters"),
});

/** Without a key, which would belong to a reseller: sent again, the email address is taken. */
export async function create(input: NewResellerInput): Promise<ActionResult<ResellerCreated>> {
  const result = await runAction({
    schema,
    input,
    run: async (ctx, { person, ...fields }) => {
      const { resellerId, oneTimePassword } = await createReseller(ctx, { ...fields, firstUser: { name: person } });
      return { href: `/resellers/${resellerId}`, email: fields.email.trim().toLowerCase(), oneTimePassword };
    },
  });
  if (result.ok) revalidatePath("/resellers", "layout");
  return result;
}
