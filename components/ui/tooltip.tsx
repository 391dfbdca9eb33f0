"use client";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { placePopover } from "./place-popover.ts";

const SHOW_DELAY_MS = 450;
/** Long enough to move the pointer onto the tooltip (WCAG 1.4.13, hoverable). */
const HIDE_DELAY_MS = 120;

export interface TooltipProps {
  /** Repeats the name of what it is on. */
  readonly content: ReactNode;
  /** One focusable element. */
  readonly children: ReactNode;
}

/** Shows on hover and on keyboard focus; Escape puts it away. Never the only place of something that matters. */
export function Tooltip({ content, children }: TooltipProps) {
  const anchorRef = useRef<HTMLSpanElement>(null);
  const popoverRef = useRef<HTMLSpanElement>(null);
  const timerRef = useRef(0);
  const [shown, setShown] = useState(false);

  function schedule(next: boolean, delayMs: number) {
    window.clearTimeout(timerRef.current);
    timerRef.current = window.setTimeout(() => setShown(next), delayMs);
  }

  useEffect(() => () => window.clearTimeout(timerRef.current), []);

  useEffect(() => {
    const popover = popoverRef.current;
    const target = anchorRef.current?.firstElementChild;
    if (!shown || popover === null || !target) return;
    popover.showPopover();
    placePopover(popover, target, "top", "center");
    const hide = () => setShown(false);
    const onKeyDown = (event: KeyboardEvent) => event.key === "Escape" && hide();
    document.addEventListener("keydown", onKeyDown);
    window.addEventListener("scroll", hide, { capture: true, passive: true });
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      window.removeEventListener("scroll", hide, { capture: true });
    };
  }, [shown]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens for what happens to the element inside, is nothing itself
    <span
      className="contents"
      onBlur={() => schedule(false, 0)}
      onFocus={(event) => event.target.matches(":focus-visible") && schedule(true, 0)}
      onPointerDown={() => schedule(false, 0)}
      onPointerEnter={(event) => event.pointerType === "mouse" && schedule(true, SHOW_DELAY_MS)}
      onPointerLeave={() => schedule(false, HIDE_DELAY_MS)}
      ref={anchorRef}
    >
      {children}
      {shown && (
        <span
          className="enter-fade fixed inset-auto m-0 max-w-64 rounded-md bg-surface-inverse px-2 py-1 text-left font-normal font-sans text-text-inverse text-xs"
          popover="manual"
          ref={popoverRef}
          role="tooltip"
        >
          {content}
        </span>
      )}
    </span>
  );
}
