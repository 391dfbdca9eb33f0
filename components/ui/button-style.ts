import { cx } from "./cx.ts";

/** `link` stands beside the value that it changes; `critical` does what cannot be undone; `critical-quiet` only asks for it. */
export type ButtonVariant = "primary" | "secondary" | "ghost" | "link" | "critical" | "critical-quiet";
export type ButtonSize = "sm" | "md";

const variantClasses = {
  primary: "bg-accent text-text-on-accent shadow-raised not-disabled:hover:bg-accent-hover",
  secondary:
    "bg-surface text-text inset-ring inset-ring-border-control/60 shadow-raised not-disabled:hover:bg-surface-hover",
  ghost: "text-text-muted not-disabled:hover:bg-surface-selected not-disabled:hover:text-text",
  link: "text-accent-text not-disabled:hover:bg-surface-selected",
  "critical-quiet":
    "bg-surface text-critical inset-ring inset-ring-border-control/60 shadow-raised not-disabled:hover:bg-critical-soft",
  critical: "bg-critical-fill text-text-on-accent shadow-raised not-disabled:hover:bg-critical-fill-hover",
} as const satisfies Record<ButtonVariant, string>;

const sizeClasses = {
  sm: "h-7 rounded-md px-2.5 text-sm pointer-coarse:h-9",
  md: "h-8 rounded-md px-3 text-sm pointer-coarse:h-10",
} as const satisfies Record<ButtonSize, string>;

const squareClasses = {
  sm: "size-7 rounded-md pointer-coarse:size-9",
  md: "size-8 rounded-md pointer-coarse:size-10",
} as const satisfies Record<ButtonSize, string>;

const common =
  "relative inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap font-medium transition-colors duration-100 [&_svg:not([class*='size-'])]:size-3.5 disabled:opacity-50 aria-disabled:opacity-60";

/** The look of a button, for `<button>` and `<a>` alike. `square` is for a lone icon. */
export function buttonClassName(variant: ButtonVariant, size: ButtonSize, square = false): string {
  return cx(common, variantClasses[variant], square ? squareClasses[size] : sizeClasses[size]);
}
