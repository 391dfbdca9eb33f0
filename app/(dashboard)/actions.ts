"use server";
import { z } from "zod";
import { presentFound } from "#app/(dashboard)/found.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { findIssuer, proverOf } from "#lib/dashboard/issuer-sign-in.ts";
import { newChallenge } from "#lib/dashboard/passkey-site.ts";
import { may, ownerOf } from "#lib/dashboard/session.ts";
import { endSession } from "#lib/dashboard/sign-out.ts";
import { searchAllObjects, searchOwnObjects } from "#lib/services/search/search.ts";
import { stopActing as stopActingAs } from "#lib/services/user/act-as.ts";
import { findExpectedProof } from "#lib/services/user/prove-identity.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";

export async function signOut(): Promise<void> {
  await endSession();
}

/** Back to the admin's own dashboard. */
export const stopActing = defineAction({
  name: "stopActing",
  repeatable: true,
  run: async (ctx, _input, _bound, { actingAs }) => {
    if (actingAs !== null) await stopActingAs(ctx);
  },
});

/** Who is signed in: after a session has ended, only its owner sends on what was filled in. */
export const readOwner = defineAction({
  name: "readOwner",
  inBackground: true,
  run: async (_ctx, _input, _bound, user) => ownerOf(user),
});

/** What `POST /api/auth/proof` has to be given, with a challenge for the user's passkeys. */
export const readProof = defineAction({
  name: "readProof",
  during: "second_factor",
  repeatable: true,
  inBackground: true,
  run: async (ctx, _input, _bound, user) => {
    const { method, hasPasskey } = await findExpectedProof(ctx, proverOf(user));
    return {
      method,
      challenge: hasPasskey ? newChallenge(`prove:${user.userId}`) : null,
      issuer: findIssuer()?.name ?? null,
    };
  },
});

/** For the shell's query. */
export const readBalance = defineAction({
  name: "readBalance",
  repeatable: true,
  inBackground: true,
  run: getBalance,
});

/** For the palette: objects by their ids and words. */
export const search = defineAction({
  name: "search",
  input: z.string().trim().min(1).max(200),
  repeatable: true,
  run: async (ctx, text, _bound, user) => {
    const isAdmin = user.kind === "admin";
    const found = await (isAdmin ? searchAllObjects : searchOwnObjects)(ctx, { text });
    const reader = { isAdmin, seesWallet: may(user, "wallet:read"), now: ctx.now() };
    return found.map((one) => presentFound(one, reader));
  },
});
