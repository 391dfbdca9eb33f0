import {
  ArrowRightLeft,
  BanknoteArrowUp,
  Boxes,
  FileUp,
  KeyRound,
  Plus,
  ReceiptText,
  ScrollText,
  Server,
  Settings,
  Users,
} from "lucide-react";
import type { NavigationItem } from "#components/shell/navigation.ts";
import type { PaletteGroup, PaletteItem } from "#components/shell/palette.ts";
import type { Permission } from "#lib/domain/roles.ts";
import { allowed, type Guarded, type Kind, sections } from "./navigation.tsx";

type GuardedItems = readonly (PaletteItem & Guarded)[];

/** Of oneself: not to be changed while an admin acts as somebody else. */
const settings = {
  reseller: [
    { href: "/settings", label: "Change your settings", icon: <Settings aria-hidden /> },
    {
      href: "/settings/team",
      permission: "team:write",
      label: "Add a person to your team",
      icon: <Users aria-hidden />,
    },
  ],
  admin: [{ href: "/settings", label: "Change your settings", icon: <Settings aria-hidden /> }],
} as const satisfies Record<Kind, GuardedItems>;

const actions = {
  reseller: [
    { href: "/licenses/new", permission: "wallet:spend", label: "Register a license", icon: <Plus aria-hidden /> },
    {
      href: "/licenses/import",
      permission: "wallet:spend",
      label: "Import licenses from CSV",
      icon: <FileUp aria-hidden />,
    },
    { href: "/bundles/new", permission: "wallet:spend", label: "Register a bundle", icon: <Plus aria-hidden /> },
    {
      href: "/relocations",
      permission: "licenses:write",
      label: "Move a server to another address",
      icon: <ArrowRightLeft aria-hidden />,
    },
    {
      href: "/wallet?top-up=100",
      permission: "wallet:write",
      label: "Request a top-up",
      icon: <BanknoteArrowUp aria-hidden />,
    },
    {
      href: "/wallet/statement",
      permission: "wallet:read",
      label: "Print or download a statement",
      icon: <ReceiptText aria-hidden />,
    },
    {
      href: "/diagnostics/install",
      permission: "diagnostics:read",
      label: "Install the agent on a server",
      icon: <Server aria-hidden />,
    },
    { href: "/api-keys/new", permission: "keys:write", label: "Create an API key", icon: <Plus aria-hidden /> },
    {
      href: "/webhooks/new",
      permission: "webhooks:write",
      label: "Add a webhook endpoint",
      icon: <Plus aria-hidden />,
    },
    {
      href: "/licenses?expires=7",
      permission: "licenses:read",
      label: "Show what ends in 7 days",
      icon: <KeyRound aria-hidden />,
    },
  ],
  admin: [
    { href: "/catalog/products/new", permission: "catalog:write", label: "Add a product", icon: <Plus aria-hidden /> },
    { href: "/catalog/bundles/new", permission: "catalog:write", label: "Add a bundle", icon: <Plus aria-hidden /> },
    { href: "/providers/new", permission: "providers:write", label: "Add a provider", icon: <Plus aria-hidden /> },
    { href: "/resellers/new", permission: "resellers:write", label: "Create a reseller", icon: <Plus aria-hidden /> },
  ],
} as const satisfies Record<Kind, GuardedItems>;

/** Pages that a page of the navigation leads to. */
const furtherPages = {
  reseller: [
    {
      href: "/wallet/top-ups",
      permission: "wallet:read",
      label: "Top-up requests",
      icon: <BanknoteArrowUp aria-hidden />,
    },
    { href: "/developers/requests", permission: "keys:read", label: "Request log", icon: <ScrollText aria-hidden /> },
    { href: "/webhooks/log", permission: "webhooks:read", label: "Webhook log", icon: <ScrollText aria-hidden /> },
  ],
  admin: [
    { href: "/catalog/bundles", label: "Catalog: bundles", icon: <Boxes aria-hidden /> },
    { href: "/top-ups/settings", label: "Payment settings", icon: <Settings aria-hidden /> },
  ],
} as const satisfies Record<Kind, GuardedItems>;

/** What the palette offers beside licenses. `acting`: an admin acts as the reseller. */
export function paletteFor(kind: Kind, permissions: readonly Permission[], acting: boolean): readonly PaletteGroup[] {
  const listed = sections[kind].flatMap(({ items }) => allowed<NavigationItem>(items, permissions));
  const pages = listed.map(({ href, label, icon }) => ({ href, label, icon }));
  return [
    {
      label: "Actions",
      items: allowed<PaletteItem>([...actions[kind], ...(acting ? [] : settings[kind])], permissions),
    },
    { label: "Pages", items: [...pages, ...allowed<PaletteItem>(furtherPages[kind], permissions)] },
  ];
}
