"use server";
import { z } from "zod";
import { id } from "#app/(dashboard)/fields.ts";
import type { Invited, PasswordShown } from "#components/user/user.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { createUser } from "#lib/services/user/create.ts";
import { inviteUserAgain } from "#lib/services/user/invite-again.ts";
import { removeUserFactors } from "#lib/services/user/remove-factors.ts";
import { resetUserPassword } from "#lib/services/user/reset-password.ts";
import { setUserDisabled } from "#lib/services/user/set-disabled.ts";
import { setFactorRule } from "#lib/services/user/set-factor-rule.ts";
import { setUserRole } from "#lib/services/user/set-role.ts";

/** The reseller that an admin looks at; of no effect for others. */
const bound = z.strictObject({ resellerId: id<ResellerId>().nullable() });
const userRef = z.strictObject({ user_id: id<UserId>() });
const revalidate = ["/users", "/settings", "/resellers"];

export const create = defineAction({
  name: "users.create",
  bound,
  input: z.strictObject({ name: z.string(), email: z.string(), role: z.string() }),
  revalidate,
  unstored: { invitationUrl: null },
  asksProof: true,
  run: async (ctx, person, bound, user): Promise<Invited> => {
    const resellerId = user.kind === "reseller" ? user.resellerId : bound.resellerId;
    const { invitationUrl } = await createUser(ctx, { ...person, resellerId });
    return { email: person.email.trim().toLowerCase(), isMailed: invitationUrl === null, invitationUrl };
  },
});

export const inviteAgain = defineAction({
  name: "users.inviteAgain",
  bound,
  input: userRef,
  revalidate,
  unstored: { invitationUrl: null },
  asksProof: true,
  run: async (ctx, user): Promise<Invited> => {
    const { email, invitationUrl } = await inviteUserAgain(ctx, user);
    return { email, isMailed: invitationUrl === null, invitationUrl };
  },
});

export const resetPassword = defineAction({
  name: "users.resetPassword",
  bound,
  input: userRef,
  revalidate,
  unstored: { oneTimePassword: null },
  asksProof: true,
  run: async (ctx, user): Promise<PasswordShown> => {
    const { email, oneTimePassword } = await resetUserPassword(ctx, user);
    return { email, oneTimePassword };
  },
});

export const removeFactors = defineAction({
  name: "users.removeFactors",
  bound,
  input: userRef,
  revalidate,
  asksProof: true,
  run: async (ctx, user) => {
    await removeUserFactors(ctx, user);
  },
});

export const setRole = defineAction({
  name: "users.setRole",
  bound,
  input: userRef.extend({ role: z.string() }),
  revalidate,
  asksProof: true,
  run: setUserRole,
});

export const setDisabled = defineAction({
  name: "users.setDisabled",
  bound,
  input: userRef.extend({ disabled: z.boolean() }),
  revalidate,
  asksProof: true,
  run: setUserDisabled,
});

export const setTeamRule = defineAction({
  name: "users.setTeamRule",
  input: z.strictObject({ required: z.boolean() }),
  revalidate: ["/settings"],
  asksProof: true,
  run: setFactorRule,
});
