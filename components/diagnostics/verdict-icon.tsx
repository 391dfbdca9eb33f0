import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from "lucide-react";
import type { Verdict } from "#lib/domain/server-checks.ts";

const styles = {
  ok: { icon: CircleCheck, className: "text-positive", name: "Fine" },
  unknown: { icon: CircleHelp, className: "text-text-muted", name: "Not known" },
  caution: { icon: TriangleAlert, className: "text-caution", name: "Caution" },
  critical: { icon: CircleAlert, className: "text-critical", name: "Critical" },
} as const satisfies Record<Verdict, unknown>;

/** With its name for those who do not see it. */
export function VerdictIcon({ verdict }: { readonly verdict: Verdict }) {
  const { icon: Icon, className, name } = styles[verdict];
  return (
    <>
      <Icon className={`size-4 shrink-0 ${className}`} />
      <span className="sr-only">{name}: </span>
    </>
  );
}
