import { EarlierKeys } from "#components/diagnostics/earlier-keys.tsx";
import { contextOf, may } from "#lib/dashboard/session.ts";
import { listEarlierAgentKeys } from "#lib/services/api-key/list-earlier-agent-keys.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";
import { revoke } from "./actions.ts";

export interface EarlierAgentKeysProps {
  readonly user: SignedInUser;
  readonly of: Parameters<typeof listEarlierAgentKeys>[1];
}

/** Beside what installs an agent with a new key: those that still work, for users who may revoke them. */
export async function EarlierAgentKeys({ user, of }: EarlierAgentKeysProps) {
  if (user.kind !== "reseller" || !may(user, "keys:write")) return null;
  const earlier = await listEarlierAgentKeys(contextOf(user), of);
  return earlier.length > 0 && <EarlierKeys earlier={earlier} revoke={revoke.bind(null, { resellerId: null })} />;
}
