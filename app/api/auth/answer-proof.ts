import { z } from "zod";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { proverOf } from "#lib/dashboard/issuer-sign-in.ts";
import { findPasskeySite } from "#lib/dashboard/passkey-site.ts";
import { storeSessionCookie } from "#lib/dashboard/store-session-cookie.ts";
import { findVisitor } from "#lib/dashboard/visitor.ts";
import type { ActionResult } from "#lib/domain/action-result.ts";
import { proveIdentity } from "#lib/services/user/prove-identity.ts";

const prove = defineAction({
  name: "prove",
  during: "second_factor",
  input: z.strictObject({ method: z.enum(["password", "totp", "recovery", "passkey"]), secret: z.string() }),
  repeatable: true,
  run: async (ctx, given, _bound, user) => {
    const { address } = await findVisitor();
    const sessionId = await proveIdentity(ctx, proverOf(user), { ...given, address, site: findPasskeySite() });
    if (sessionId !== null) await storeSessionCookie(user, sessionId);
  },
});

/**
 * Proves who the user is before a sensitive action (`asksProof`). This is a route, because after a server action that sets
 * a cookie Next renders the page again: after an update of the server, it would reload the page while its form is sent.
 * @param body JSON, which other sites cannot send: `given`, a `Proof`, and `page`, the name of the page (`thisPage`)
 */
export function answerProof(body: Uint8Array): Promise<ActionResult<void>> {
  const sent = parseJson(Buffer.from(body).toString());
  return prove(sent.given as Parameters<typeof prove>[0], sent.page as string);
}

/** Of anything else, nothing. */
function parseJson(text: string): { readonly given?: unknown; readonly page?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
