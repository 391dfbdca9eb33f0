import { cx } from "./cx.ts";

/** Code, or a command to be run on a server; scrolls where it is larger than its place, and shows that it can. */
export function CodeText({ className, children }: { readonly className?: string; readonly children: string }) {
  return (
    <pre
      className={cx("scroll-hint overflow-auto rounded-md p-3 font-mono text-xs leading-5", className)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <code>{children}</code>
    </pre>
  );
}
