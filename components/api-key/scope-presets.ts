import { agentScopes, everydayScopes, includesScope, type Scope, scopes } from "#lib/domain/scopes.ts";

/** What a scope lets a program do. */
export const scopeTexts = {
  "licenses:verify": "Ask whether a license is valid, and for its status",
  "licenses:read": "See all licenses, and verify them",
  "licenses:write": "Register, renew, move and suspend licenses: spends from the wallet",
  "licenses:terminate": "End licenses for good, without a refund",
  "bundles:read": "See your bundles",
  "bundles:write": "Register, renew and move bundles: spends from the wallet",
  "wallet:read": "See the balance",
  "catalog:read": "See products, bundles and your prices",
  "diagnostics:read": "See what servers report about themselves",
  "diagnostics:write": "Report on the server where it runs",
  "webhooks:read": "See endpoints, events and deliveries",
  "webhooks:write": "Add and change endpoints, and send events again",
} as const satisfies Record<Scope, string>;

export const presetNames = ["verify", "agent", "read", "all", "custom"] as const;
export type PresetName = (typeof presetNames)[number];

export interface Preset {
  readonly label: string;
  readonly detail: string;
  /** Null: chosen one by one. */
  readonly scopes: readonly Scope[] | null;
}

export const presets = {
  verify: {
    label: "Verify only",
    detail: "Safe on a customer's server: it only returns whether a license is valid.",
    scopes: ["licenses:verify"],
  },
  agent: {
    label: "Server agent",
    detail: "Verifies its license and reports on its server.",
    scopes: agentScopes,
  },
  read: {
    label: "Read only",
    detail: "Sees everything, changes nothing.",
    scopes: scopes.filter((scope) => scope.endsWith(":read") || scope === "licenses:verify"),
  },
  all: {
    label: "Everything",
    detail: "For your own back end: spends from the wallet, and cannot terminate licenses.",
    scopes: everydayScopes,
  },
  custom: { label: "Custom", detail: "Choose each scope.", scopes: null },
} as const satisfies Record<PresetName, Preset>;

/** Null: no preset has just these. */
export function presetOf(held: readonly Scope[]): Exclude<PresetName, "custom"> | null {
  for (const name of presetNames) {
    if (name === "custom") continue;
    const wanted: readonly Scope[] = presets[name].scopes;
    if (wanted.length === held.length && wanted.every((scope) => held.includes(scope))) return name;
  }
  return null;
}

/** "Verify only", "wallet:read, catalog:read", "5 scopes". */
export function scopesSummary(held: readonly Scope[]): string {
  const preset = presetOf(held);
  if (preset !== null) return presets[preset].label;
  return held.length <= 2 ? held.join(", ") : `${held.length} scopes`;
}

/** Whether a program with these scopes can spend. */
export function canSpend(held: readonly Scope[]): boolean {
  return held.includes("licenses:write") || held.includes("bundles:write");
}

/** Whether a key with these scopes can be bound to one license. */
export function isAgentAccess(held: readonly Scope[]): boolean {
  return held.length > 0 && held.every((scope) => includesScope(agentScopes, scope));
}
