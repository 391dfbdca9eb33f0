import { Badge, type BadgeTone } from "#components/ui/badge.tsx";
import type { CatalogState } from "#lib/domain/catalog.ts";

const badges = {
  on_sale: { tone: "positive", text: "On sale" },
  not_sold: { tone: "caution", text: "No price" },
  retired: { tone: "neutral", text: "Retired" },
} as const satisfies Record<CatalogState, { tone: BadgeTone; text: string }>;

export function CatalogStateBadge({ state }: { readonly state: CatalogState }) {
  return <Badge tone={badges[state].tone}>{badges[state].text}</Badge>;
}
