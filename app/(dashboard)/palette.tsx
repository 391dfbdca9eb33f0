import {
  ArrowRightLeft,
  BanknoteArrowUp,
  Bell,
  Boxes,
  FileUp,
  KeyRound,
  Plus,
  ReceiptText,
  ScrollText,
  Settings,
  Users,
} from "lucide-react";
import type { NavigationItem } from "#components/shell/navigation.ts";
import type { PaletteGroup, PaletteItem } from "#components/shell/palette.ts";
import type { Permission } from "#lib/domain/roles.ts";
import { allowed, type Declared, type Kind, places } from "./navigation.tsx";

type DeclaredItems = readonly Declared<PaletteItem>[];

/** Of oneself: not to be changed while an admin acts as somebody else. */
const ownPages = [
  {
    href: "/settings",
    label: "Change your settings",
    synonyms:
      "two-factor 2fa mfa passkey second factor authenticator password email profile sessions notifications language",
    icon: Settings,
  },
  { href: "/notifications", label: "Notifications", synonyms: "bell unread alerts inbox news", icon: Bell },
] as const satisfies DeclaredItems;

const settings: Record<Kind, DeclaredItems> = {
  reseller: [
    ...ownPages,
    {
      href: "/settings/team",
      permission: "team:write",
      label: "Invite a user to your team",
      synonyms: "user invite member colleague role",
      icon: Users,
    },
  ],
  admin: ownPages,
};

const actions = {
  reseller: [
    {
      href: "/licenses/new",
      permission: "wallet:spend",
      label: "Register a license",
      synonyms: "buy order new create purchase",
      icon: Plus,
    },
    {
      href: "/licenses/import",
      permission: "wallet:spend",
      label: "Import licenses from CSV",
      synonyms: "upload bulk spreadsheet migrate",
      icon: FileUp,
    },
    {
      href: "/bundles/new",
      permission: "wallet:spend",
      label: "Register a bundle",
      synonyms: "buy order new suite package",
      icon: Plus,
    },
    {
      href: "/relocations",
      permission: "licenses:write",
      label: "Move a server to another address",
      synonyms: "relocate relocation change ip migrate transfer",
      icon: ArrowRightLeft,
    },
    {
      href: "/wallet?top-up=100",
      permission: "wallet:write",
      label: "Request a top-up",
      synonyms: "top up add money funds deposit recharge credit pay balance",
      icon: BanknoteArrowUp,
    },
    {
      href: "/wallet/statement",
      permission: "wallet:read",
      label: "Print or download a statement",
      synonyms: "invoice bill receipt accounting pdf csv export",
      icon: ReceiptText,
    },
    {
      href: "/api-keys/new",
      permission: "keys:write",
      label: "Create an API key",
      synonyms: "token secret credential",
      icon: Plus,
    },
    {
      href: "/webhooks/new",
      permission: "webhooks:write",
      label: "Add a webhook endpoint",
      synonyms: "hook slack telegram callback notification",
      icon: Plus,
    },
    {
      href: "/licenses?expires=7",
      permission: "licenses:read",
      label: "Show what ends in 7 days",
      synonyms: "expiring renew due soon expires",
      icon: KeyRound,
    },
  ],
  admin: [
    {
      href: "/catalog/products/new",
      permission: "catalog:write",
      label: "Add a product",
      synonyms: "new catalog sell",
      icon: Plus,
    },
    { href: "/catalog/bundles/new", permission: "catalog:write", label: "Add a bundle", icon: Plus },
    {
      href: "/providers/new",
      permission: "providers:write",
      label: "Add a provider",
      synonyms: "new upstream vendor",
      icon: Plus,
    },
    {
      href: "/resellers/new",
      permission: "resellers:write",
      label: "Create a reseller",
      synonyms: "new customer account client",
      icon: Plus,
    },
  ],
} as const satisfies Record<Kind, DeclaredItems>;

/** Pages that a page of the navigation leads to. */
const furtherPages = {
  reseller: [
    {
      href: "/wallet/top-ups",
      permission: "wallet:read",
      label: "Top-up requests",
      synonyms: "topup deposits payments pay",
      icon: BanknoteArrowUp,
    },
    {
      href: "/developers/requests",
      permission: "keys:read",
      label: "Request log",
      synonyms: "api calls history errors",
      icon: ScrollText,
    },
    {
      href: "/webhooks/log",
      permission: "webhooks:read",
      label: "Webhook log",
      synonyms: "deliveries events",
      icon: ScrollText,
    },
  ],
  admin: [
    { href: "/catalog/bundles", label: "Catalog: bundles", icon: Boxes },
    { href: "/top-ups/settings", label: "Payment settings", synonyms: "bank iban account transfer", icon: Settings },
  ],
} as const satisfies Record<Kind, DeclaredItems>;

/** Other words for pages of the navigation. */
const synonyms: Readonly<Record<string, string>> = {
  "/overview": "home dashboard start",
  "/wallet": "money balance ledger invoice payments spend",
  "/relocations": "move server change ip relocate migrate",
  "/jobs": "bulk batch progress tasks",
  "/diagnostics": "servers health monitoring agent",
  "/test-mode": "sandbox play staging",
  "/audit": "history changes who activity",
  "/developers": "docs documentation reference api sdk",
  "/resellers": "customers accounts clients",
  "/top-ups": "top up deposits payments",
  "/reconciliation": "cases differences inbox",
  "/catalog": "products prices cycles",
  "/providers": "upstream vendors",
  "/users": "people admins team logins",
  "/outbox": "mail email messages",
  "/system": "health status backup workers",
};

/** What the palette offers beside objects. `acting`: an admin acts as the reseller. */
export function paletteFor(kind: Kind, permissions: readonly Permission[], acting: boolean): readonly PaletteGroup[] {
  const listed = allowed<NavigationItem>(places[kind], permissions);
  const pages = listed.map(({ href, label, icon }) => ({ href, label, icon, synonyms: synonyms[href] ?? "" }));
  return [
    {
      label: "Actions",
      items: allowed<PaletteItem>([...actions[kind], ...(acting ? [] : settings[kind])], permissions),
    },
    { label: "Pages", items: [...pages, ...allowed<PaletteItem>(furtherPages[kind], permissions)] },
  ];
}
