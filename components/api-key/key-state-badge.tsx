import { Ban, CircleCheck, Clock, Hourglass } from "lucide-react";
import type { ReactNode } from "react";
import { Badge, type BadgeTone } from "#components/ui/badge.tsx";
import type { KeyState } from "./api-key.ts";

const badges = {
  active: { tone: "positive", text: "Active", icon: <CircleCheck /> },
  ending: { tone: "caution", text: "Expires soon", icon: <Hourglass /> },
  expired: { tone: "neutral", text: "Expired", icon: <Clock /> },
  revoked: { tone: "neutral", text: "Revoked", icon: <Ban /> },
} as const satisfies Record<KeyState, { tone: BadgeTone; text: string; icon: ReactNode }>;

export function KeyStateBadge({ state }: { readonly state: KeyState }) {
  const { tone, text, icon } = badges[state];
  return (
    <Badge icon={icon} tone={tone}>
      {text}
    </Badge>
  );
}
