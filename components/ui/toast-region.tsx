"use client";
import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { cx } from "./cx.ts";
import { IconButton } from "./icon-button.tsx";
import { onNavigationStart } from "./navigation-start.ts";
import {
  dismissAllToasts,
  dismissToast,
  movePageOfToasts,
  type ToastEntry,
  type ToastTone,
  useToasts,
} from "./toast-store.ts";

const SHOWN_MS = 6_000;

const icons = {
  default: <Info className="mt-0.5 size-4 shrink-0 text-text-muted" />,
  positive: <CircleCheck className="mt-0.5 size-4 shrink-0 text-positive" />,
  critical: <CircleAlert className="mt-0.5 size-4 shrink-0 text-critical" />,
} as const satisfies Record<ToastTone, unknown>;

let mounted = 0;

/**
 * Once a page, in the shell. In the browser's top layer, so that an open dialog does not cover it. A phone shows the
 * newest, with the edges of others behind it, and the page ends above it (`--toast-space`); under a dialog, whose
 * buttons are at the bottom, it is at the top.
 */
export function ToastRegion() {
  const toasts = useToasts();
  const ref = useRef<HTMLElement>(null);
  const newestId = toasts.at(-1)?.id;

  useEffect(() => {
    const region = ref.current;
    if (region === null) return;
    // Shown anew for each toast: what enters the top layer last lies on top.
    region.hidePopover();
    if (newestId !== undefined) region.showPopover();
  }, [newestId]);

  useEffect(() => {
    const region = ref.current;
    if (region === null) return;
    const { style } = document.documentElement;
    // Not set without toasts: a new value on the root styles the whole page again.
    const observer = new ResizeObserver(() =>
      style.setProperty("--toast-space", region.offsetHeight > 0 ? `${region.offsetHeight}px` : ""),
    );
    observer.observe(region);
    mounted += 1;
    const stopListening = onNavigationStart(({ pathname }) => movePageOfToasts(pathname));
    return () => {
      observer.disconnect();
      stopListening();
      style.removeProperty("--toast-space");
      mounted -= 1;
      // A shell that remounts, as when the reader's formats change, keeps its toasts.
      setTimeout(() => mounted === 0 && dismissAllToasts());
    };
  }, []);

  return (
    <section
      aria-label="Notifications"
      aria-live="polite"
      className="fixed inset-auto right-4 bottom-4 m-0 hidden w-[calc(100vw-2rem)] max-w-sm flex-col gap-2 overflow-visible bg-transparent max-md:bottom-[calc(4.5rem+env(safe-area-inset-bottom))] max-md:in-[html:has(dialog:modal)]:top-4 max-md:in-[html:has(dialog:modal)]:bottom-auto open:flex"
      popover="manual"
      ref={ref}
    >
      {toasts.map((entry, index) => (
        <Toast behind={toasts.length - 1 - index} entry={entry} key={entry.id} />
      ))}
    </section>
  );
}

/** On phones, by how many newer ones there are. */
const behindClassNames = [
  "",
  "max-md:absolute max-md:inset-x-2 max-md:-top-1.5 max-md:h-full max-md:*:invisible",
  "max-md:absolute max-md:inset-x-4 max-md:-top-3 max-md:h-full max-md:*:invisible",
];

function Toast({ entry, behind }: { readonly entry: ToastEntry; readonly behind: number }) {
  const { id, title, description, tone = "default", action } = entry;
  const [paused, setPaused] = useState(false);

  useEffect(() => {
    if (paused || action) return;
    const timer = window.setTimeout(() => dismissToast(id), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [paused, action, id]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: reading or reaching into a toast stops its clock
    <div
      className={cx(
        "enter-rise relative flex items-start gap-2.5 rounded-lg bg-surface-raised p-3 text-sm text-text shadow-overlay",
        behindClassNames[behind] ?? "max-md:hidden",
      )}
      onBlur={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
    >
      {icons[tone]}
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        {description && <p className="text-text-muted">{description}</p>}
      </div>
      {action && (
        <Button
          className="-my-1 pointer-coarse:-my-2"
          onClick={() => {
            dismissToast(id);
            action.onSelect();
          }}
          size="sm"
        >
          {action.label}
        </Button>
      )}
      <IconButton
        className="-my-1 -mr-1 pointer-coarse:-my-2"
        icon={<X />}
        label="Dismiss"
        onClick={() => dismissToast(id)}
      />
    </div>
  );
}
