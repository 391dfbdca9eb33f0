import { Check, Clock, X } from "lucide-react";
import { Badge, type BadgeProps } from "#components/ui/badge.tsx";
import { type TopUpState, topUpStateNames } from "./top-up-request.ts";

const looks = {
  requested: { icon: <Clock />, tone: "accent" },
  approved: { icon: <Check />, tone: "positive" },
  declined: { icon: <X />, tone: "critical" },
} as const satisfies Record<TopUpState, Partial<BadgeProps>>;

export function TopUpStateBadge({ state }: { readonly state: TopUpState }) {
  return <Badge {...looks[state]}>{topUpStateNames[state]}</Badge>;
}
