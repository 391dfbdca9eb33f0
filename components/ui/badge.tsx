import type { ReactNode } from "react";
import { cx } from "./cx.ts";

export type BadgeTone = "neutral" | "accent" | "positive" | "caution" | "critical";

const toneClasses = {
  neutral: "bg-surface-selected text-text-muted",
  accent: "bg-accent-soft text-accent-text",
  positive: "bg-positive-soft text-positive",
  caution: "bg-caution-soft text-caution",
  critical: "bg-critical-soft text-critical",
} as const satisfies Record<BadgeTone, string>;

export interface BadgeProps {
  readonly tone?: BadgeTone;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

export function Badge({ tone = "neutral", icon, children }: BadgeProps) {
  return (
    <span
      className={cx(
        "inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-sm px-1.5 font-medium text-xs [&_svg]:size-3 [&_svg]:shrink-0",
        toneClasses[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}
