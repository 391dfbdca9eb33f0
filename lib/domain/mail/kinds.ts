import { type AdminRole, adminRoles, type Permission, type ResellerRole, resellerRoles } from "#lib/domain/roles.ts";

interface MailKindFacts {
  /** What the settings and the outbox call it. */
  readonly title: string;
  /** Who gets it, and can switch it off; null: the person whom it is about or whose team, always. */
  readonly readers: { readonly of: "reseller" | "admin"; readonly permission: Permission } | null;
}

/** Of messages of a later version, which this one meets while instances are updated, what they are stored as. */
export function mailTitle(kind: MailKind): string {
  return isMailKind(kind) ? mailKinds[kind].title : kind;
}

const person = null;
const reseller = (permission: Permission) => ({ of: "reseller", permission }) as const;
const admin = (permission: Permission) => ({ of: "admin", permission }) as const;

/** Kinds of messages. `wants_mail.sql` has the roles of their permissions. */
export const mailKinds = {
  invitation: { title: "Invitation", readers: person },
  password_reset: { title: "Forgotten password", readers: person },
  email_change: { title: "Change of email address", readers: person },
  email_change_new: { title: "New email address", readers: person },
  new_device: { title: "Sign-in on a new device", readers: person },
  access_changed: { title: "Changed access", readers: person },
  team_access_changed: { title: "Changed access of an owner or administrator", readers: person },
  low_balance: { title: "Low balance", readers: reseller("wallet:read") },
  runway_end: { title: "Balance running out", readers: reseller("wallet:read") },
  renewal_failed: { title: "Failed renewals", readers: reseller("licenses:read") },
  expiring_soon: { title: "Licenses that expire soon", readers: reseller("licenses:read") },
  top_up_decided: { title: "Top-up decisions", readers: reseller("wallet:read") },
  webhook_disabled: { title: "Disabled webhook endpoints", readers: reseller("webhooks:read") },
  top_up_requested: { title: "Top-up requests", readers: admin("money:move") },
  system_problems: { title: "System problems", readers: admin("admin:read") },
  new_cases: { title: "New reconciliation cases", readers: admin("cases:decide") },
} as const satisfies Record<string, MailKindFacts>;

export type MailKind = keyof typeof mailKinds;

/** False for a kind of a later version. */
export function isMailKind(kind: string): kind is MailKind {
  return Object.hasOwn(mailKinds, kind);
}

/** Whether its readers can switch it off. */
export function isOptionalKind(kind: string): kind is MailKind {
  return isMailKind(kind) && mailKinds[kind].readers !== null;
}

/** The kinds that a user gets by their role, and can switch off. */
export function optionalMailKinds(
  user:
    | { readonly kind: "reseller"; readonly role: ResellerRole }
    | { readonly kind: "admin"; readonly role: AdminRole },
): MailKind[] {
  const permissions: readonly Permission[] =
    user.kind === "admin" ? adminRoles[user.role].permissions : resellerRoles[user.role].permissions;
  return allKinds.filter((kind) => {
    const { readers } = mailKinds[kind];
    return readers !== null && readers.of === user.kind && permissions.includes(readers.permission);
  });
}

/** Pages of links that are secrets. */
const linkPages: Readonly<Partial<Record<MailKind, string>>> = {
  invitation: "set-password",
  password_reset: "set-password",
  email_change: "confirm-email",
  email_change_new: "confirm-email",
};

/** Whether a message carries a link that is a secret. */
export function hasSecretLink(kind: MailKind): boolean {
  return linkPages[kind] !== undefined;
}

/** A link that is a secret. The token is in the fragment, which browsers send to no server. */
export function secretLinkUrl(publicUrl: string, kind: MailKind, token: string): string {
  return `${publicUrl}/${linkPages[kind] ?? ""}#${token}`;
}

const allKinds = Object.keys(mailKinds) as MailKind[];
