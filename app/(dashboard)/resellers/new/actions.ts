"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { NewResellerInput, ResellerCreated } from "#components/reseller/settings.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { createReseller } from "#lib/services/reseller/create.ts";

const schema = z.object({
  name: z.string(),
  currency: z.string().trim().min(1, "is required"),
  person: z.string().trim().min(1, "is required").max(100, "must have at most 100 characters"),
  email: z.string(),
  notes: z.string().max(4_000, "must have at most 4000 characters"),
});

/** The kept answer to the idempotency key is without the password: sent again, it tells no more than that it was made. */
export async function create(input: NewResellerInput, idempotencyKey: string): Promise<ActionResult<ResellerCreated>> {
  let oneTimePassword: string | null = null;
  const result = await runAction({
    name: "resellers.new.create",
    schema,
    input,
    idempotencyKey,
    run: async (ctx, { person, ...fields }) => {
      const created = await createReseller(ctx, { ...fields, firstUser: { name: person } });
      oneTimePassword = created.oneTimePassword;
      return { href: `/resellers/${created.resellerId}`, email: fields.email.trim().toLowerCase() };
    },
  });
  if (!result.ok) return result;
  revalidatePath("/resellers", "layout");
  return { ok: true, value: { ...result.value, oneTimePassword } };
}
