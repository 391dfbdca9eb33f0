import { isIP } from "node:net";
import { DomainError } from "#lib/domain/errors.ts";
import type { ChallengePurpose } from "#lib/domain/passkey-challenge.ts";
import { readEnv } from "#lib/env.ts";
import { newPasskeyChallenge, type PasskeySite } from "#lib/services/user/check-passkey.ts";
import { visitorContext } from "./define-visitor-action.ts";
import { publicOrigin } from "./public-url.ts";

/** Null: browsers allow passkeys only on https and `localhost`, and for host names. */
export function findPasskeySite(): PasskeySite | null {
  const origin = publicOrigin();
  const { hostname, protocol } = new URL(origin);
  const secret = readEnv().NEXTAUTH_SECRET;
  const isAllowed =
    hostname === "localhost" || (protocol === "https:" && isIP(hostname.replaceAll(/[[\]]/g, "")) === 0);
  return isAllowed && secret !== undefined ? { origin, rpId: hostname, secret } : null;
}

/** @throws DomainError `state_invalid` */
export function requirePasskeySite(): PasskeySite {
  const site = findPasskeySite();
  if (site) return site;
  throw new DomainError("state_invalid", "Passkeys need https and a host name.");
}

/** What a passkey signs, and for which site. */
export interface PasskeyChallenge {
  readonly challenge: string;
  readonly rpId: string;
}

/** Null: passkeys are not possible here. */
export function newChallenge(purpose: ChallengePurpose): PasskeyChallenge | null {
  const site = findPasskeySite();
  if (!site) return null;
  return { challenge: newPasskeyChallenge(visitorContext(""), site, purpose), rpId: site.rpId };
}
