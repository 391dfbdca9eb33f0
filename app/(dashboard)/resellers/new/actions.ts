"use server";
import { z } from "zod";
import type { ResellerCreated } from "#components/reseller/settings.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { createReseller } from "#lib/services/reseller/create.ts";

export const create = defineAction({
  name: "resellers.new.create",
  input: z.object({
    name: z.string(),
    currency: z.string().trim().min(1, "is required"),
    person: z.string().trim().max(100, "must have at most 100 characters"),
    email: z.string(),
    notes: z.string().max(4_000, "must have at most 4000 characters"),
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
