"use client";
import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
import {
  currentToasts,
  dismissToast,
  noToasts,
  subscribeToToasts,
  type ToastEntry,
  type ToastTone,
} from "./toast-store.ts";

const SHOWN_MS = 6_000;

const icons = {
  default: <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-text-muted" />,
  positive: <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-positive" />,
  critical: <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-critical" />,
} as const satisfies Record<ToastTone, unknown>;

/** Once a page, in the shell. In the browser's top layer, so that an open dialog does not cover it. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts, noToasts);
  const ref = useRef<HTMLElement>(null);
  const newestId = toasts.at(-1)?.id;

  useEffect(() => {
    const region = ref.current;
    if (region === null) return;
    // Shown anew for each toast: what enters the top layer last lies on top.
    region.hidePopover();
    if (newestId !== undefined) region.showPopover();
  }, [newestId]);

  return (
    <section
      aria-label="Notifications"
      aria-live="polite"
      className="fixed inset-auto right-4 bottom-4 m-0 hidden w-[calc(100vw-2rem)] max-w-sm flex-col gap-2 overflow-visible bg-transparent max-md:bottom-18 open:flex"
      popover="manual"
      ref={ref}
    >
      {toasts.map((entry) => (
        <Toast entry={entry} key={entry.id} />
      ))}
    </section>
  );
}

function Toast({ entry }: { readonly entry: ToastEntry }) {
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
      className="enter-rise flex items-start gap-2.5 rounded-lg bg-surface-raised p-3 text-sm text-text shadow-overlay"
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
        className="-my-1 -mr-1 pointer-coarse:-my-2.5"
        icon={<X aria-hidden className="size-3.5" />}
        label="Dismiss"
        onClick={() => dismissToast(id)}
        size="sm"
      />
    </div>
  );
}
