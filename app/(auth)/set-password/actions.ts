"use server";
import { z } from "zod";
import { defineVisitorAction } from "#lib/dashboard/define-visitor-action.ts";
import { storeKnownDevice } from "#lib/dashboard/known-device.ts";
import { findAccessLink, redeemAccessLink } from "#lib/services/user/redeem-access-link.ts";
import { newDeviceId } from "#lib/services/user/sign-in.ts";

const token = z.string().max(100);

export const readLink = defineVisitorAction({
  name: "set-password.readLink",
  input: z.strictObject({ token }),
  run: findAccessLink,
});

export const setPassword = defineVisitorAction({
  name: "set-password.setPassword",
  input: z.strictObject({ token, new_password: z.string() }),
  async run(ctx, { token, new_password }) {
    const { email, userId } = await redeemAccessLink(ctx, { token, newPassword: new_password });
    // The sign-in that follows is no news.
    await storeKnownDevice({ account: email, userId, deviceId: newDeviceId() });
    return { email };
  },
});
