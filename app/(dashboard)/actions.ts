"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { PaletteItem } from "#components/shell/palette.ts";
import type { WalletBalance } from "#components/wallet/use-balance.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { findUser } from "#lib/dashboard/session.ts";
import { endSession } from "#lib/dashboard/sign-out.ts";
import { listLicenses } from "#lib/services/license/list.ts";
import { stopActing as stopActingAs } from "#lib/services/user/act-as.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { presentBalance, presentFoundLicense } from "./present.ts";

const MAX_FOUND = 6;

export async function signOut(): Promise<void> {
  await endSession();
  redirect("/sign-in");
}

/** Back to the admin's own dashboard. */
export async function stopActing(): Promise<ActionResult<null>> {
  const user = await findUser();
  if (user !== null && user.actingAs === null) return { ok: true, value: null };
  return runAction({
    name: "stopActing",
    schema: z.undefined(),
    input: undefined,
    run: async (ctx) => {
      await stopActingAs(ctx, { sessionId: user?.sessionId ?? "" });
      return null;
    },
  });
}

/** For the shell's query. */
export async function readBalance(): Promise<ActionResult<WalletBalance>> {
  return runAction({
    name: "readBalance",
    schema: z.undefined(),
    input: undefined,
    inBackground: true,
    run: async (ctx) => presentBalance(await getBalance(ctx)),
  });
}

/** For the palette: the newest licenses whose key, address, or word in host or notes begins with this text. */
export async function searchLicenses(text: string): Promise<ActionResult<readonly PaletteItem[]>> {
  return runAction({
    name: "searchLicenses",
    schema: z.string().trim().min(2).max(200),
    input: text,
    run: async (ctx, searched) => {
      const page = { order: "newest", after: null, limit: MAX_FOUND } as const;
      const { licenses } = await listLicenses(ctx, { ...page, filter: { text: searched } });
      return licenses.map(presentFoundLicense);
    },
  });
}
