"use server";
import { z } from "zod";
import type { TotpSetup } from "#components/settings/settings.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { requirePasskeySite } from "#lib/dashboard/passkey-site.ts";
import { drawQrCode } from "#lib/domain/qr-code.ts";
import { setMailPreferences } from "#lib/services/mail/preferences.ts";
import { requestEmailChange } from "#lib/services/user/change-email.ts";
import { changeOwnPassword } from "#lib/services/user/change-password.ts";
import { changeOwnProfile } from "#lib/services/user/change-profile.ts";
import {
  confirmTotp as confirmOwnTotp,
  removeTotp as removeOwnTotp,
  replaceRecoveryCodes as replaceOwnRecoveryCodes,
  startTotp as startOwnTotp,
} from "#lib/services/user/own-factors.ts";
import {
  addPasskey as addOwnPasskey,
  removePasskey as removeOwnPasskey,
  startPasskey as startOwnPasskey,
} from "#lib/services/user/own-passkeys.ts";
import { endOtherSessions, endOwnSession } from "#lib/services/user/own-sessions.ts";

export const saveProfile = defineAction({
  name: "settings.saveProfile",
  input: z.strictObject({ name: z.string(), time_zone: z.string(), format_locale: z.string() }),
  repeatable: true,
  revalidateOnSuccess: ["/"],
  run: changeOwnProfile,
});

export const changePassword = defineAction({
  name: "settings.changePassword",
  input: z.strictObject({ current_password: z.string(), new_password: z.string() }),
  repeatable: true,
  revalidateOnSuccess: ["/settings"],
  run: changeOwnPassword,
});

export const changeEmail = defineAction({
  name: "settings.changeEmail",
  input: z.strictObject({ new_email: z.string(), email_password: z.string() }),
  repeatable: true,
  asksProof: true,
  run: (ctx, { newEmail: email, emailPassword: currentPassword }) =>
    requestEmailChange(ctx, { email, currentPassword }),
});

/** Kind → "on", of each kind that is switched on. */
export const saveMessages = defineAction({
  name: "settings.saveMessages",
  input: z.record(z.string(), z.string()).transform((chosen) => ({ on: Object.keys(chosen) })),
  revalidateOnSuccess: ["/settings"],
  run: setMailPreferences,
});

export const endSession = defineAction({
  name: "settings.endSession",
  input: z.strictObject({ session_id: z.uuid() }),
  repeatable: true,
  asksProof: true,
  revalidate: ["/settings"],
  run: endOwnSession,
});

export const endOthers = defineAction({
  name: "settings.endOthers",
  input: z.strictObject({}),
  repeatable: true,
  asksProof: true,
  revalidate: ["/settings"],
  run: (ctx) => endOtherSessions(ctx),
});

/** The secret is shown once. */
export const startTotp = defineAction({
  name: "settings.startTotp",
  during: "second_factor",
  repeatable: true,
  unstored: { secret: "" },
  asksProof: true,
  run: async (ctx): Promise<TotpSetup> => {
    const { secret, uri } = await startOwnTotp(ctx);
    return { secret, qrCode: drawQrCode(uri) };
  },
});

export const confirmTotp = defineAction({
  name: "settings.confirmTotp",
  during: "second_factor",
  input: z.strictObject({ secret: z.string(), code: z.string() }),
  repeatable: true,
  unstored: { recoveryCodes: [] },
  revalidateOnSuccess: ["/settings"],
  run: confirmOwnTotp,
});

export const removeTotp = defineAction({
  name: "settings.removeTotp",
  input: z.strictObject({}),
  repeatable: true,
  asksProof: true,
  revalidate: ["/settings"],
  run: (ctx) => removeOwnTotp(ctx),
});

export const replaceRecoveryCodes = defineAction({
  name: "settings.replaceRecoveryCodes",
  input: z.strictObject({}),
  repeatable: true,
  unstored: { recoveryCodes: [] },
  asksProof: true,
  revalidateOnSuccess: ["/settings"],
  run: (ctx) => replaceOwnRecoveryCodes(ctx),
});

export const startPasskey = defineAction({
  name: "settings.startPasskey",
  during: "second_factor",
  repeatable: true,
  asksProof: true,
  run: (ctx) => startOwnPasskey(ctx, { site: requirePasskeySite() }),
});

export const addPasskey = defineAction({
  name: "settings.addPasskey",
  during: "second_factor",
  input: z.strictObject({ name: z.string(), registration: z.string() }),
  repeatable: true,
  unstored: { recoveryCodes: [] },
  revalidateOnSuccess: ["/settings"],
  run: (ctx, input) => addOwnPasskey(ctx, { ...input, site: requirePasskeySite() }),
});

export const removePasskey = defineAction({
  name: "settings.removePasskey",
  input: z.strictObject({ passkey_id: z.string() }),
  repeatable: true,
  asksProof: true,
  revalidate: ["/settings"],
  run: removeOwnPasskey,
});
