import type { LicenseStatus } from "#lib/domain/license-status.ts";
import { ShapeBadge, type ShapeBadgeProps } from "./shape-badge.tsx";

const badges = {
  pending: {
    tone: "accent",
    text: "Pending",
    shape: <path d="M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Z" strokeDasharray="2.2 1.6" />,
  },
  active: { tone: "positive", text: "Active", shape: <circle cx="6" cy="6" fill="currentColor" r="4" /> },
  suspended: { tone: "caution", text: "Suspended", shape: <path d="M4 2.5v7M8 2.5v7" strokeWidth="2.2" /> },
  expired: { tone: "critical", text: "Expired", shape: <path d="M6 1.8 10.6 10H1.4L6 1.8Z" /> },
  terminated: { tone: "neutral", text: "Terminated", shape: <path d="m2.5 2.5 7 7m0-7-7 7" /> },
} as const satisfies Record<LicenseStatus, ShapeBadgeProps>;

export function StatusBadge({ status }: { readonly status: LicenseStatus }) {
  return <ShapeBadge {...badges[status]} />;
}
