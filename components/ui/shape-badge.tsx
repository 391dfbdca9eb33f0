import type { ReactNode } from "react";
import { Badge, type BadgeTone } from "./badge.tsx";

export interface ShapeBadgeProps {
  readonly tone: BadgeTone;
  readonly text: string;
  readonly shape: ReactNode;
}

/** A state by a shape, not by color alone. Shapes are drawn on 12 by 12, because icons of a set blur at that size. */
export function ShapeBadge({ tone, text, shape }: ShapeBadgeProps) {
  return (
    <Badge
      icon={
        <svg
          aria-hidden="true"
          fill="none"
          stroke="currentColor"
          strokeLinecap="round"
          strokeLinejoin="round"
          strokeWidth="1.6"
          viewBox="0 0 12 12"
        >
          {shape}
        </svg>
      }
      tone={tone}
    >
      {text}
    </Badge>
  );
}
