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
import type { NavigationItem, NavigationSection } from "#components/shell/navigation.ts";
import type { Permission } from "#lib/domain/roles.ts";

export type Kind = "reseller" | "admin";
/** Shown to those with the permission, or to all of the kind. */
export type Guarded = { readonly permission?: Permission };

export function allowed<Item extends object>(items: readonly (Item & Guarded)[], permissions: readonly Permission[]) {
  return items
    .filter(({ permission }) => permission === undefined || permissions.includes(permission))
    .map(({ permission: _, ...item }) => item);
}

const RECONCILIATION = "/reconciliation";
const TOP_UPS = "/top-ups";

export const sections = {
  reseller: [
    {
      label: null,
      items: [
        {
          href: "/overview",
          permission: "wallet:read",
          label: "Overview",
          icon: <LayoutDashboard aria-hidden />,
          shortcutKey: "o",
          primary: true,
        },
        {
          href: "/licenses",
          permission: "licenses:read",
          label: "Licenses",
          icon: <KeyRound aria-hidden />,
          shortcutKey: "l",
          primary: true,
        },
        {
          href: "/bundles",
          permission: "bundles:read",
          label: "Bundles",
          icon: <Boxes aria-hidden />,
          shortcutKey: "b",
          primary: true,
        },
        {
          href: "/relocations",
          permission: "licenses:write",
          label: "Relocations",
          icon: <ArrowRightLeft aria-hidden />,
          shortcutKey: "r",
        },
        {
          href: "/jobs",
          permission: "licenses:read",
          label: "Jobs",
          icon: <ListChecks aria-hidden />,
          shortcutKey: "j",
        },
        {
          href: "/wallet",
          permission: "wallet:read",
          label: "Wallet",
          icon: <Wallet aria-hidden />,
          shortcutKey: "w",
          primary: true,
        },
        {
          href: "/diagnostics",
          permission: "diagnostics:read",
          label: "Diagnostics",
          icon: <Server aria-hidden />,
          shortcutKey: "d",
        },
        {
          href: "/api-keys",
          permission: "keys:read",
          label: "API keys",
          icon: <KeySquare aria-hidden />,
          shortcutKey: "k",
        },
        {
          href: "/webhooks",
          permission: "webhooks:read",
          label: "Webhooks",
          icon: <Webhook aria-hidden />,
          shortcutKey: "h",
        },
        {
          href: "/developers",
          permission: "keys:read",
          label: "Developers",
          icon: <CodeXml aria-hidden />,
          shortcutKey: "v",
        },
        {
          href: "/test-mode",
          permission: "sandbox:write",
          label: "Test mode",
          icon: <FlaskConical aria-hidden />,
          shortcutKey: "t",
        },
        {
          href: "/audit",
          permission: "audit:read",
          label: "Audit log",
          icon: <ScrollText aria-hidden />,
          shortcutKey: "a",
        },
      ],
    },
  ],
  admin: [
    {
      label: null,
      items: [
        {
          href: "/overview",
          label: "Overview",
          icon: <LayoutDashboard aria-hidden />,
          shortcutKey: "o",
          primary: true,
        },
        { href: "/licenses", label: "Licenses", icon: <KeyRound aria-hidden />, shortcutKey: "l", primary: true },
        { href: "/jobs", label: "Jobs", icon: <ListChecks aria-hidden />, shortcutKey: "j" },
        { href: "/resellers", label: "Resellers", icon: <Building2 aria-hidden />, shortcutKey: "r", primary: true },
        { href: TOP_UPS, label: "Top-ups", icon: <BanknoteArrowUp aria-hidden />, shortcutKey: "t", primary: true },
        { href: RECONCILIATION, label: "Reconciliation", icon: <Scale aria-hidden />, shortcutKey: "c" },
        { href: "/catalog", label: "Catalog", icon: <Package aria-hidden />, shortcutKey: "p" },
        { href: "/providers", label: "Providers", icon: <Plug aria-hidden />, shortcutKey: "v" },
        { href: "/users", label: "Users", icon: <Users aria-hidden />, shortcutKey: "u" },
        { href: "/outbox", label: "Outbox", icon: <Mail aria-hidden />, shortcutKey: "m" },
        { href: "/audit", label: "Audit log", icon: <ScrollText aria-hidden />, shortcutKey: "a" },
        { href: "/system", label: "System", icon: <Activity aria-hidden />, shortcutKey: "y" },
      ],
    },
  ],
} as const satisfies Record<
  Kind,
  readonly { readonly label: string | null; readonly items: readonly (NavigationItem & Guarded)[] }[]
>;

/** What waits for an admin: differences, and requests of resellers. */
export interface Waiting {
  readonly openCases: number;
  readonly openTopUps: number;
}

export function navigationFor(
  kind: Kind,
  permissions: readonly Permission[],
  { openCases, openTopUps }: Waiting,
): readonly NavigationSection[] {
  const counts = new Map<string, number>([
    [RECONCILIATION, openCases],
    [TOP_UPS, openTopUps],
  ]);
  return sections[kind].map(({ label, items }) => ({
    label,
    items: allowed<NavigationItem>(items, permissions).map((item) => ({ ...item, count: counts.get(item.href) ?? 0 })),
  }));
}
