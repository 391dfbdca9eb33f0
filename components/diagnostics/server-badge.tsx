import { Badge, type BadgeTone } from "#components/ui/badge.tsx";
import type { Severity } from "#lib/domain/server-checks.ts";

const badges = {
  0: { tone: "positive", label: "Healthy" },
  1: { tone: "caution", label: "Caution" },
  2: { tone: "critical", label: "Critical" },
} as const satisfies Record<Severity, { tone: BadgeTone; label: string }>;

export function ServerBadge({ severity }: { readonly severity: Severity }) {
  const { tone, label } = badges[severity];
  return <Badge tone={tone}>{label}</Badge>;
}
