import {
  ArrowRightLeft,
  BanknoteArrowUp,
  Boxes,
  Building2,
  CodeXml,
  FileUp,
  FlaskConical,
  KeyRound,
  KeySquare,
  LayoutDashboard,
  ListChecks,
  Mail,
  Package,
  Plug,
  Plus,
  ReceiptText,
  Scale,
  ScrollText,
  Server,
  Settings,
  Users,
  Wallet,
  Webhook,
} from "lucide-react";
import type { NavigationSection } from "#components/shell/navigation.ts";
import type { PaletteGroup } from "#components/shell/palette.ts";

const RECONCILIATION = "/reconciliation";
const TOP_UPS = "/top-ups";

const sections = {
  reseller: [
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
        { href: "/bundles", label: "Bundles", icon: <Boxes aria-hidden />, shortcutKey: "b", primary: true },
        { href: "/relocations", label: "Relocations", icon: <ArrowRightLeft aria-hidden />, shortcutKey: "r" },
        { href: "/jobs", label: "Jobs", icon: <ListChecks aria-hidden />, shortcutKey: "j" },
        { href: "/wallet", label: "Wallet", icon: <Wallet aria-hidden />, shortcutKey: "w", primary: true },
        { href: "/diagnostics", label: "Diagnostics", icon: <Server aria-hidden />, shortcutKey: "d" },
        { href: "/api-keys", label: "API keys", icon: <KeySquare aria-hidden />, shortcutKey: "k" },
        { href: "/webhooks", label: "Webhooks", icon: <Webhook aria-hidden />, shortcutKey: "h" },
        { href: "/developers", label: "Developers", icon: <CodeXml aria-hidden />, shortcutKey: "v" },
        { href: "/test-mode", label: "Test mode", icon: <FlaskConical aria-hidden />, shortcutKey: "t" },
        { href: "/audit", label: "Audit log", icon: <ScrollText aria-hidden />, shortcutKey: "a" },
      ],
    },
  ],
  admin: [
    {
      label: null,
      items: [
        { href: "/resellers", label: "Resellers", icon: <Building2 aria-hidden />, shortcutKey: "r", primary: true },
        { href: TOP_UPS, label: "Top-ups", icon: <BanknoteArrowUp aria-hidden />, shortcutKey: "t", primary: true },
        { href: RECONCILIATION, label: "Reconciliation", icon: <Scale aria-hidden />, shortcutKey: "c", primary: true },
        { href: "/catalog", label: "Catalog", icon: <Package aria-hidden />, shortcutKey: "p" },
        { href: "/providers", label: "Providers", icon: <Plug aria-hidden />, shortcutKey: "v" },
        { href: "/users", label: "Users", icon: <Users aria-hidden />, shortcutKey: "u" },
        { href: "/outbox", label: "Outbox", icon: <Mail aria-hidden />, shortcutKey: "m" },
        { href: "/audit", label: "Audit log", icon: <ScrollText aria-hidden />, shortcutKey: "a" },
      ],
    },
  ],
} as const satisfies Record<"reseller" | "admin", readonly NavigationSection[]>;

/** What waits for an admin: differences, and requests of resellers. */
export interface Waiting {
  readonly openCases: number;
  readonly openTopUps: number;
}

export function navigationFor(
  role: "reseller" | "admin",
  { openCases, openTopUps }: Waiting,
): readonly NavigationSection[] {
  const counts = new Map<string, number>([
    [RECONCILIATION, openCases],
    [TOP_UPS, openTopUps],
  ]);
  return sections[role].map(({ label, items }) => ({
    label,
    items: items.map((item) => ({ ...item, count: counts.get(item.href) ?? 0 })),
  }));
}

/** Of oneself: not to be changed while an admin acts as somebody else. */
const settings = {
  reseller: [
    { href: "/settings", label: "Change your settings", icon: <Settings aria-hidden /> },
    { href: "/settings/team", label: "Add a person to your team", icon: <Users aria-hidden /> },
  ],
  admin: [{ href: "/settings", label: "Change your settings", icon: <Settings aria-hidden /> }],
} as const satisfies Record<"reseller" | "admin", PaletteGroup["items"]>;

const actions = {
  reseller: [
    { href: "/licenses/new", label: "Register a license", icon: <Plus aria-hidden /> },
    { href: "/licenses/import", label: "Import licenses from CSV", icon: <FileUp aria-hidden /> },
    { href: "/bundles/new", label: "Register a bundle", icon: <Plus aria-hidden /> },
    { href: "/relocations", label: "Move a server to another address", icon: <ArrowRightLeft aria-hidden /> },
    { href: "/wallet?top-up=100", label: "Request a top-up", icon: <BanknoteArrowUp aria-hidden /> },
    { href: "/wallet/statement", label: "Print or download a statement", icon: <ReceiptText aria-hidden /> },
    { href: "/diagnostics/install", label: "Install the agent on a server", icon: <Server aria-hidden /> },
    { href: "/api-keys/new", label: "Create an API key", icon: <Plus aria-hidden /> },
    { href: "/webhooks/new", label: "Add a webhook endpoint", icon: <Plus aria-hidden /> },
    { href: "/licenses?expires=7", label: "Show what ends in 7 days", icon: <KeyRound aria-hidden /> },
  ],
  admin: [
    { href: "/catalog/products/new", label: "Add a product", icon: <Plus aria-hidden /> },
    { href: "/catalog/bundles/new", label: "Add a bundle", icon: <Plus aria-hidden /> },
    { href: "/providers/new", label: "Add a provider", icon: <Plus aria-hidden /> },
    { href: "/resellers/new", label: "Create a reseller", icon: <Plus aria-hidden /> },
  ],
} as const satisfies Record<"reseller" | "admin", PaletteGroup["items"]>;

/** Pages that a page of the navigation leads to. */
const furtherPages = {
  reseller: [
    { href: "/wallet/top-ups", label: "Top-up requests", icon: <BanknoteArrowUp aria-hidden /> },
    { href: "/developers/requests", label: "Request log", icon: <ScrollText aria-hidden /> },
    { href: "/webhooks/log", label: "Webhook log", icon: <ScrollText aria-hidden /> },
  ],
  admin: [{ href: "/catalog/bundles", label: "Catalog: bundles", icon: <Boxes aria-hidden /> }],
} as const satisfies Record<"reseller" | "admin", PaletteGroup["items"]>;

/** What the palette offers beside licenses. `acting`: an admin acts as the reseller. */
export function paletteFor(role: "reseller" | "admin", acting: boolean): readonly PaletteGroup[] {
  const pages = sections[role].flatMap(({ items }) => items.map(({ href, label, icon }) => ({ href, label, icon })));
  return [
    { label: "Actions", items: [...actions[role], ...(acting ? [] : settings[role])] },
    { label: "Pages", items: [...pages, ...furtherPages[role]] },
  ];
}
