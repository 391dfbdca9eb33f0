import { Badge, type BadgeTone } from "#components/ui/badge.tsx";
import type { CatalogState } from "#lib/domain/catalog.ts";

const looks = {
  on_sale: { tone: "positive", text: "On sale" },
  not_sold: { tone: "caution", text: "No price" },
  retired: { tone: "neutral", text: "Retired" },
} as const satisfies Record<CatalogState, { tone: BadgeTone; text: string }>;

export function CatalogStateBadge({ state }: { readonly state: CatalogState }) {
  return <Badge tone={looks[state].tone}>{looks[state].text}</Badge>;
}
