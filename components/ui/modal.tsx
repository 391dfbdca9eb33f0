"use client";
import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { cx } from "./cx.ts";
import { IconButton } from "./icon-button.tsx";

export interface ModalProps {
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons, in reading order; the main one last. */
  readonly footer?: ReactNode;
  /** Place and size of the frame. */
  readonly className: string;
  /** False while work is under way that must not lose its answer. */
  readonly dismissible?: boolean;
}

/**
 * The platform's modal dialog: it keeps the focus inside, makes the page behind inert, and gives the focus back. The
 * frame of Dialog. Rendered only while it is open, so a form inside starts fresh each time.
 */
export function Modal({ onClose, title, description, children, footer, className, dismissible = true }: ModalProps) {
  const titleId = useId();
  const descriptionId = useId();
  const ref = useRef<HTMLDialogElement>(null);
  // A drag that selects text and ends outside is a click on the dialog, too, but began inside.
  const pressedBackdropRef = useRef(false);

  // In the layout phase, because it must be closed while it is still in the page: else the focus would not go back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    const { documentElement } = document;
    documentElement.style.setProperty("--scrollbar-width", `${window.innerWidth - documentElement.clientWidth}px`);
    // Only the uppermost scrim is visible: two would hide the page.
    const covered = [...document.querySelectorAll<HTMLDialogElement>("dialog:modal")];
    for (const below of covered) below.dataset.covered = "";
    dialog.showModal();
    // Else the browser would begin at the button that closes.
    const start = dialog.querySelector<HTMLElement>("[data-autofocus]") ?? firstControl(dialog);
    (start?.matches(":disabled") ? dialog : (start ?? dialog)).focus();
    return () => {
      for (const below of covered) delete below.dataset.covered;
      dialog.close();
    };
  }, []);

  return (
    <dialog
      aria-describedby={description ? descriptionId : undefined}
      aria-labelledby={titleId}
      className={cx(
        "whitespace-normal outline-none bg-surface-raised p-0 text-left font-normal font-sans text-base text-text shadow-overlay backdrop:bg-scrim backdrop:enter-fade backdrop:transition-colors data-covered:backdrop:bg-transparent",
        className,
      )}
      onCancel={(event) => {
        if (!dismissible) event.preventDefault();
      }}
      onClick={(event) => {
        if (dismissible && pressedBackdropRef.current && event.target === event.currentTarget) onClose();
      }}
      onClose={() => {
        // The event comes late: by then, React's double mount in development has opened it again.
        if (!ref.current?.open) onClose();
      }}
      onKeyDown={submitOnEnter}
      onPointerDown={(event) => {
        pressedBackdropRef.current = event.target === event.currentTarget;
      }}
      ref={ref}
      tabIndex={-1}
    >
      <div className="flex max-h-[inherit] min-h-[inherit] flex-col">
        <div className="px-5 pt-4 pb-3">
          <div className="flex items-start justify-between gap-4">
            <h2 className="min-w-0 font-semibold text-lg leading-7 pointer-coarse:py-1" id={titleId}>
              {title}
            </h2>
            <IconButton
              // Keeps its place: nothing moves while work is under way.
              className={cx("-mr-1.5", !dismissible && "invisible")}
              disabled={!dismissible}
              icon={<X className="size-4" />}
              label="Close"
              onClick={onClose}
            />
          </div>
          {description && (
            <p className="mt-0.5 text-sm text-text-muted" id={descriptionId}>
              {description}
            </p>
          )}
        </div>
        {children && (
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5 has-[>form:empty]:hidden" data-modal-body="">
            {children}
          </div>
        )}
        {footer && (
          <div className="flex flex-wrap items-center justify-end gap-2 border-t bg-surface-sunken/60 px-5 py-3">
            {footer}
          </div>
        )}
      </div>
    </dialog>
  );
}

/** From controls that do not submit by themselves; from a text of several lines with Ctrl or ⌘. */
function submitOnEnter(event: KeyboardEvent<HTMLDialogElement>) {
  const { target, currentTarget, key, ctrlKey, metaKey, repeat, nativeEvent } = event;
  if (key !== "Enter" || event.defaultPrevented || nativeEvent.isComposing) return;
  // The key that opened the dialog, still held, confirms nothing.
  if (repeat && !(target instanceof HTMLTextAreaElement)) return event.preventDefault();
  const isOwn = target instanceof HTMLTextAreaElement ? !(ctrlKey || metaKey) : (target as Element).matches(OWN_ENTER);
  if (isOwn) return;
  event.preventDefault();
  currentTarget.querySelector<HTMLButtonElement>('button[type="submit"]')?.click();
}

/** Enter presses, follows or submits. */
const OWN_ENTER = "a[href], button, input, summary, [role=option], [role=menuitem]";

function firstControl(dialog: HTMLElement): HTMLElement | null {
  return dialog.querySelector("[data-modal-body] :is(a[href], button, input, select, textarea):not(:disabled)");
}
