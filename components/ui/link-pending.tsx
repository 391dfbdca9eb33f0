"use client";
import { useLinkStatus } from "next/link";
import { cx } from "./cx.ts";

/** Inside a Link, at its right end: says that its page is on the way, when that takes longer than one notices. */
export function LinkPending() {
  const { pending } = useLinkStatus();
  return (
    <span
      aria-hidden
      className={cx(
        "size-1.5 shrink-0 rounded-full bg-accent transition-opacity",
        pending ? "animate-pulse opacity-100 delay-150" : "opacity-0",
      )}
    />
  );
}
