/** Permissions of an API key (contract 1.14, and the management of webhook endpoints). */
export const scopes = [
  "licenses:verify",
  "licenses:read",
  "licenses:write",
  "licenses:terminate",
  "bundles:read",
  "bundles:write",
  "wallet:read",
  "catalog:read",
  "diagnostics:read",
  "diagnostics:write",
  "webhooks:read",
  "webhooks:write",
] as const;

export type Scope = (typeof scopes)[number];

/** "Everything": all but what cannot be undone (contract 1.14). */
export const everydayScopes: readonly Scope[] = scopes.filter((scope) => scope !== "licenses:terminate");

/** What a key that is bound to one license can have: what the agent on that license's server needs (contract 1.14). */
export const agentScopes = ["licenses:verify", "diagnostics:write"] as const satisfies readonly Scope[];
export type AgentScope = (typeof agentScopes)[number];

/** Whether the granted scopes include `needed`; `licenses:read` implies `licenses:verify` (contract 1.14). */
export function includesScope(held: ReadonlySet<Scope> | readonly Scope[], needed: Scope): boolean {
  if (containsScope(held, needed)) return true;
  return needed === "licenses:verify" && containsScope(held, "licenses:read");
}

/** Distinct scopes in catalog order; null if a name is unknown. */
export function parseScopes(names: readonly string[]): Scope[] | null {
  const known: readonly string[] = scopes;
  if (!names.every((name) => known.includes(name))) return null;
  return scopes.filter((scope) => names.includes(scope));
}

function containsScope(held: ReadonlySet<Scope> | readonly Scope[], scope: Scope): boolean {
  return "has" in held ? held.has(scope) : held.includes(scope);
}
