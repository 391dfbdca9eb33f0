import { cookies } from "next/headers";
import { SECOND_FACTOR_SECONDS } from "#lib/services/user/sign-in.ts";
import { authCookie } from "./auth-cookie.ts";

const cookie = () => authCookie("pending-sign-in");

/** The token of a sign-in with a right password that waits for the second factor, or null. */
export async function readPendingSignIn(): Promise<string | null> {
  return (await cookies()).get(cookie().name)?.value ?? null;
}

/** Binds it to this browser. Works only in a route handler. */
export async function storePendingSignIn(token: string): Promise<void> {
  (await cookies()).set({ ...cookie(), value: token, maxAge: SECOND_FACTOR_SECONDS });
}

/** The second factors of the user, as the form reads them: `totp,passkey`. */
export function formatMethods(user: { readonly hasTotp: boolean; readonly hasPasskey: boolean }): string {
  return [user.hasTotp ? "totp" : [], user.hasPasskey ? "passkey" : []].flat().join(",");
}
