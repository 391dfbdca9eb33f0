"use server";
import { z } from "zod";
import type { ResellerCreated } from "#components/reseller/settings.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { createReseller } from "#lib/services/reseller/create.ts";

export const create = defineAction({
  name: "resellers.new.create",
  input: z.strictObject({
    name: z.string(),
    currency: z.string().trim().min(1, "is required"),
    person: z.string(),
    email: z.string(),
    notes: z.string(),
  }),
  revalidateOnSuccess: ["/resellers"],
  unstored: { invitationUrl: null },
  asksProof: true,
  run: async (ctx, { person, ...fields }): Promise<ResellerCreated> => {
    const { resellerId, invitationUrl } = await createReseller(ctx, { ...fields, firstUser: { name: person } });
    const email = fields.email.trim().toLowerCase();
    return { href: `/resellers/${resellerId}`, email, isMailed: invitationUrl === null, invitationUrl };
  },
});
