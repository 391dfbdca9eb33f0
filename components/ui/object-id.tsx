import type { ReactNode } from "react";
import { cx } from "./cx.ts";

export interface ObjectIdProps {
  /** `lic_12`, "bundle 3". */
  readonly children: ReactNode;
  /** In a link, whose color it takes. */
  readonly linked?: boolean;
  readonly className?: string;
}

/** An object's id beside its name, or instead of one. */
export function ObjectId({ children, linked = false, className }: ObjectIdProps) {
  return (
    <span
      className={cx(
        "whitespace-nowrap font-mono font-normal text-xs [word-spacing:-0.25em]",
        !linked && "text-text-muted",
        className,
      )}
      translate="no"
    >
      {children}
    </span>
  );
}
