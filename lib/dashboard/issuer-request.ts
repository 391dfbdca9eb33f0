import { cookies } from "next/headers";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { ISSUER_SECONDS } from "#lib/services/user/sign-in-at-issuer.ts";
import { authCookie, requireSecret } from "./auth-cookie.ts";

/** What this browser asked of the issuer. The cookie binds the answer to it. */
const requestSchema = z.object({
  checks: z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string() }),
  /** Where the visitor wanted to go. */
  next: z.string(),
  /** The session whose user proves again who they are; null: to sign in. */
  provedSessionId: z.string().nullable(),
  startedAtMs: z.number(),
});
export type IssuerRequest = z.infer<typeof requestSchema>;

const SALT = "issuer-request";
const cookie = () => authCookie("issuer-request");

/** Works only in a route handler. */
export async function storeIssuerRequest(request: IssuerRequest): Promise<void> {
  const value = await encode({ token: request, secret: requireSecret(), salt: SALT, maxAge: ISSUER_SECONDS });
  (await cookies()).set({ ...cookie(), value, maxAge: ISSUER_SECONDS });
}

/** Ends it. Null: this browser started none, or too long ago. Works only in a route handler. */
export async function takeIssuerRequest(): Promise<IssuerRequest | null> {
  const jar = await cookies();
  const token = jar.get(cookie().name)?.value;
  if (token === undefined) return null;
  jar.delete({ ...cookie() });
  const sealed = await decode({ token, secret: requireSecret(), salt: SALT }).catch(() => null);
  return requestSchema.safeParse(sealed).data ?? null;
}
