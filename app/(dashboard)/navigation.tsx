import {
  Activity,
  ArrowRightLeft,
  BanknoteArrowUp,
  Boxes,
  Building2,
  CodeXml,
  FlaskConical,
  KeyRound,
  KeySquare,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Mail,
  Package,
  Plug,
  Scale,
  ScrollText,
  Server,
  Users,
  Wallet,
  Webhook,
} from "lucide-react";
import type { NavigationItem } from "#components/shell/navigation.ts";
import type { Permission } from "#lib/domain/roles.ts";

export type Kind = "reseller" | "admin";
/** With its icon's component, shown to users with the permission, or to all of the kind. */
export type Declared<Item> = Omit<Item, "icon"> & { readonly icon: LucideIcon; readonly permission?: Permission };

export function allowed<Item extends object>(items: readonly Declared<Item>[], permissions: readonly Permission[]) {
  return items
    .filter(({ permission }) => permission === undefined || permissions.includes(permission))
    .map(({ permission: _, icon: Icon, ...item }) => ({ ...item, icon: <Icon /> }));
}

const RECONCILIATION = "/reconciliation";
const TOP_UPS = "/top-ups";

/** The pages of the navigation. */
export const places = {
  reseller: [
    {
      href: "/overview",
      permission: "wallet:read",
      label: "Overview",
      icon: LayoutDashboard,
      shortcutKey: "o",
      primary: true,
    },
    {
      href: "/licenses",
      permission: "licenses:read",
      label: "Licenses",
      icon: KeyRound,
      shortcutKey: "l",
      primary: true,
    },
    { href: "/bundles", permission: "bundles:read", label: "Bundles", icon: Boxes, shortcutKey: "b", primary: true },
    {
      href: "/relocations",
      permission: "licenses:write",
      label: "Relocations",
      icon: ArrowRightLeft,
      shortcutKey: "r",
    },
    { href: "/jobs", permission: "licenses:read", label: "Jobs", icon: ListChecks, shortcutKey: "j" },
    { href: "/wallet", permission: "wallet:read", label: "Wallet", icon: Wallet, shortcutKey: "w", primary: true },
    { href: "/diagnostics", permission: "diagnostics:read", label: "Diagnostics", icon: Server, shortcutKey: "d" },
    { href: "/api-keys", permission: "keys:read", label: "API keys", icon: KeySquare, shortcutKey: "k" },
    { href: "/webhooks", permission: "webhooks:read", label: "Webhooks", icon: Webhook, shortcutKey: "h" },
    { href: "/developers", permission: "keys:read", label: "Developers", icon: CodeXml, shortcutKey: "v" },
    { href: "/test-mode", permission: "sandbox:write", label: "Test mode", icon: FlaskConical, shortcutKey: "t" },
    { href: "/audit", permission: "audit:read", label: "Audit log", icon: ScrollText, shortcutKey: "a" },
  ],
  admin: [
    { href: "/overview", label: "Overview", icon: LayoutDashboard, shortcutKey: "o", primary: true },
    { href: "/licenses", label: "Licenses", icon: KeyRound, shortcutKey: "l", primary: true },
    { href: "/jobs", label: "Jobs", icon: ListChecks, shortcutKey: "j" },
    { href: "/resellers", label: "Resellers", icon: Building2, shortcutKey: "r", primary: true },
    { href: TOP_UPS, label: "Top-ups", icon: BanknoteArrowUp, shortcutKey: "t", primary: true },
    { href: RECONCILIATION, label: "Reconciliation", icon: Scale, shortcutKey: "c" },
    { href: "/catalog", label: "Catalog", icon: Package, shortcutKey: "p" },
    { href: "/providers", label: "Providers", icon: Plug, shortcutKey: "v" },
    { href: "/users", label: "Users", icon: Users, shortcutKey: "u" },
    { href: "/outbox", label: "Outbox", icon: Mail, shortcutKey: "m" },
    { href: "/audit", label: "Audit log", icon: ScrollText, shortcutKey: "a" },
    { href: "/system", label: "System", icon: Activity, shortcutKey: "y" },
  ],
} as const satisfies Record<Kind, readonly Declared<NavigationItem>[]>;

/** What waits for an admin: differences, and requests of resellers. */
export interface Waiting {
  readonly openCases: number;
  readonly openTopUps: number;
}

export function navigationFor(
  kind: Kind,
  permissions: readonly Permission[],
  { openCases, openTopUps }: Waiting,
): readonly NavigationItem[] {
  const counts = new Map<string, number>([
    [RECONCILIATION, openCases],
    [TOP_UPS, openTopUps],
  ]);
  return allowed<NavigationItem>(places[kind], permissions).map((item) => ({
    ...item,
    count: counts.get(item.href) ?? 0,
  }));
}
