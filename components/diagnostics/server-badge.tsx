import { Badge, type BadgeProps } from "#components/ui/badge.tsx";
import type { Severity } from "#lib/domain/server-checks.ts";

const badges = {
  0: { tone: "positive", children: "Healthy" },
  1: { tone: "caution", children: "Caution" },
  2: { tone: "critical", children: "Critical" },
} as const satisfies Record<Severity, BadgeProps>;

export function ServerBadge({ severity }: { readonly severity: Severity }) {
  return <Badge {...badges[severity]} />;
}
