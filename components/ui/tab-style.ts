import { cx } from "./cx.ts";

export const tabListClassName = "flex gap-4 overflow-x-auto border-b";

export function tabClassName(current: boolean): string {
  return cx(
    "-mb-px flex h-9 shrink-0 items-center border-b-2 px-0.5 text-sm transition-colors focus-visible:-outline-offset-2 pointer-coarse:h-11",
    current ? "border-accent-text font-medium text-text" : "border-transparent text-text-muted hover:text-text",
  );
}
