import { ShapeBadge, type ShapeBadgeProps } from "#components/ui/shape-badge.tsx";
import type { DeliveryOutcome, EndpointState } from "./webhook.ts";

const shapes = {
  dot: <circle cx="6" cy="6" fill="currentColor" r="4" />,
  bars: <path d="M4 2.5v7M8 2.5v7" strokeWidth="2.2" />,
  triangle: <path d="M6 1.8 10.6 10H1.4L6 1.8Z" />,
  cross: <path d="m2.5 2.5 7 7m0-7-7 7" />,
  check: <path d="m2 6.5 2.7 2.7L10 3.5" strokeWidth="2" />,
  clock: <path d="M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Zm0 2V6l1.7 1.2" />,
  minus: <path d="M2 6h8" strokeWidth="2" />,
} as const;

const endpointBadges = {
  active: { tone: "positive", text: "Active", shape: shapes.dot },
  failing: { tone: "critical", text: "Failing", shape: shapes.triangle },
  pending: { tone: "accent", text: "Pending", shape: shapes.clock },
  unverified: { tone: "caution", text: "Verification failed", shape: shapes.triangle },
  paused: { tone: "caution", text: "Paused", shape: shapes.bars },
  disabled: { tone: "critical", text: "Disabled", shape: shapes.cross },
} as const satisfies Record<EndpointState, ShapeBadgeProps>;

const outcomeBadges = {
  pending: { tone: "accent", text: "Pending", shape: shapes.clock },
  succeeded: { tone: "positive", text: "Delivered", shape: shapes.check },
  failed: { tone: "critical", text: "Failed", shape: shapes.cross },
  discarded: { tone: "neutral", text: "Discarded", shape: shapes.minus },
} as const satisfies Record<DeliveryOutcome, ShapeBadgeProps>;

export function EndpointStateBadge({ state }: { readonly state: EndpointState }) {
  return <ShapeBadge {...endpointBadges[state]} />;
}

export interface OutcomeBadgeProps {
  readonly outcome: DeliveryOutcome;
  /** Among many: a delivery that succeeded is plain text, so that the others stand out. */
  readonly quiet?: boolean;
}

export function OutcomeBadge({ outcome, quiet = false }: OutcomeBadgeProps) {
  if (quiet && outcome === "succeeded") return <span className="text-text-muted">{outcomeBadges[outcome].text}</span>;
  return <ShapeBadge {...outcomeBadges[outcome]} />;
}
