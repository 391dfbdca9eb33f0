"use server";
import { z } from "zod";
import { defineVisitorAction } from "#lib/dashboard/define-visitor-action.ts";
import { findAccessLink, redeemAccessLink } from "#lib/services/user/redeem-access-link.ts";

const token = z.string().max(100);

export const readLink = defineVisitorAction({
  name: "set-password.readLink",
  input: z.object({ token }),
  run: findAccessLink,
});

export const setPassword = defineVisitorAction({
  name: "set-password.setPassword",
  input: z.object({ token, new_password: z.string() }),
  run: (ctx, { token, new_password }) => redeemAccessLink(ctx, { token, newPassword: new_password }),
});
