import { Badge, type BadgeTone } from "#components/ui/badge.tsx";
import type { ProviderState } from "./provider.ts";

export const providerBadges = {
  untried: { tone: "neutral", text: "No requests yet" },
  working: { tone: "positive", text: "Working" },
  paused: { tone: "critical", text: "Not answering" },
  probing: { tone: "caution", text: "Being probed" },
  disabled: { tone: "neutral", text: "Disabled" },
} as const satisfies Record<ProviderState, { tone: BadgeTone; text: string }>;

export function ProviderStateBadge({ state }: { readonly state: ProviderState }) {
  return <Badge tone={providerBadges[state].tone}>{providerBadges[state].text}</Badge>;
}
