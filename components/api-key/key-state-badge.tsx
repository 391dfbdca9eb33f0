import { Ban, CircleCheck, Clock, Hourglass } from "lucide-react";
import { Badge, type BadgeProps } from "#components/ui/badge.tsx";
import type { KeyState } from "./api-key.ts";

const badges = {
  active: { tone: "positive", children: "Active", icon: <CircleCheck /> },
  ending: { tone: "caution", children: "Expires soon", icon: <Hourglass /> },
  expired: { tone: "neutral", children: "Expired", icon: <Clock /> },
  revoked: { tone: "neutral", children: "Revoked", icon: <Ban /> },
} as const satisfies Record<KeyState, BadgeProps>;

export function KeyStateBadge({ state }: { readonly state: KeyState }) {
  return <Badge {...badges[state]} />;
}
