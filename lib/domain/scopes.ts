/** What an API key may do (contract 1.14, and the management of webhook endpoints). */
export const scopes = [
  "licenses:verify",
  "licenses:read",
  "licenses:write",
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

/** Whether the held scopes allow what needs `needed`; `licenses:read` implies `licenses:verify` (contract 1.14). */
export function grants(held: ReadonlySet<Scope> | readonly Scope[], needed: Scope): boolean {
  if (holds(held, needed)) return true;
  return needed === "licenses:verify" && holds(held, "licenses:read");
}

/** Each scope once, in the catalog's order; null when one of the names is no scope. */
export function parseScopes(names: readonly string[]): Scope[] | null {
  const known: readonly string[] = scopes;
  if (!names.every((name) => known.includes(name))) return null;
  return scopes.filter((scope) => names.includes(scope));
}

function holds(held: ReadonlySet<Scope> | readonly Scope[], scope: Scope): boolean {
  return "has" in held ? held.has(scope) : held.includes(scope);
}
