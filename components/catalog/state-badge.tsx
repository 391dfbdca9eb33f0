import { Badge, type BadgeProps } from "#components/ui/badge.tsx";
import type { CatalogState } from "#lib/domain/catalog.ts";

const badges = {
  on_sale: { tone: "positive", children: "On sale" },
  not_sold: { tone: "caution", children: "No price" },
  retired: { tone: "neutral", children: "Retired" },
} as const satisfies Record<CatalogState, BadgeProps>;

export function CatalogStateBadge({ state }: { readonly state: CatalogState }) {
  return <Badge {...badges[state]} />;
}
