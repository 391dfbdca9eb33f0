import { Ban, CircleQuestionMark, Diff, FileQuestionMark, History, ReceiptText } from "lucide-react";
import { Badge, type BadgeProps } from "#components/ui/badge.tsx";
import { type CaseKind, caseKindNames } from "#lib/domain/reconciliation.ts";

const badges = {
  unknown_outcome: { tone: "accent", icon: <CircleQuestionMark /> },
  charged_not_provisioned: { tone: "critical", icon: <Ban /> },
  provisioned_not_charged: { tone: "caution", icon: <ReceiptText /> },
  unknown_at_ours: { tone: "caution", icon: <FileQuestionMark /> },
  late_success: { tone: "caution", icon: <History /> },
  differs: { tone: "neutral", icon: <Diff /> },
} as const satisfies Record<CaseKind, Partial<BadgeProps>>;

/** Each kind has its own shape, so that color is not what tells them apart. */
export function CaseKindBadge({ kind }: { readonly kind: CaseKind }) {
  return <Badge {...badges[kind]}>{caseKindNames[kind]}</Badge>;
}
