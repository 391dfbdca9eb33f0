"use client";
import { Ellipsis } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { type ButtonSize, type ButtonVariant, buttonClassName } from "./button-style.ts";
import { cx } from "./cx.ts";
import { MenuContext } from "./menu-item.tsx";
import { placePopover } from "./place-popover.ts";

export interface DropdownMenuProps {
  /** Accessible name of the button and of the menu, e.g. "Actions for lic_12". */
  readonly label: string;
  /** What the button shows; three dots unless told otherwise. */
  readonly trigger?: ReactNode;
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  /** As wide as high; so by default with the three dots. */
  readonly square?: boolean;
  readonly className?: string;
  /** MenuItem, MenuLink, MenuLabel, MenuSeparator. Rendered only while the menu is open. */
  readonly children: ReactNode;
}

/**
 * A menu button (WAI-ARIA APG): Enter, Space and ↓ open at the first item, ↑ at the last; arrows, Home, End and typed
 * letters move; Escape and Tab close. The browser's popover supplies the top layer and closing by a press outside.
 */
export function DropdownMenu({
  label,
  trigger,
  variant = "ghost",
  size = "sm",
  square = trigger === undefined,
  className,
  children,
}: DropdownMenuProps) {
  const id = useId();
  const triggerRef = useRef<HTMLButtonElement>(null);
  const menuRef = useRef<HTMLDivElement>(null);
  const startAtRef = useRef<"first" | "last">("first");
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const menu = menuRef.current;
    if (!open || menu === null || triggerRef.current === null) return;
    placePopover(menu, triggerRef.current, "bottom", "end");
    focusItem(menu, startAtRef.current);
    startAtRef.current = "first";
    const close = () => menu.hidePopover();
    window.addEventListener("resize", close);
    window.addEventListener("scroll", close, { passive: true });
    return () => {
      window.removeEventListener("resize", close);
      window.removeEventListener("scroll", close);
    };
  }, [open]);

  function close() {
    menuRef.current?.hidePopover();
    triggerRef.current?.focus();
  }

  function onTriggerKeyDown(event: KeyboardEvent) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    startAtRef.current = event.key === "ArrowUp" ? "last" : "first";
    menuRef.current?.showPopover();
  }

  function onMenuKeyDown(event: KeyboardEvent<HTMLElement>) {
    const menu = event.currentTarget;
    if (event.key === "Tab") {
      menuRef.current?.hidePopover();
      return;
    }
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      focusItem(menu, move);
    } else if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey) {
      focusItemByText(menu, event.key);
    }
    event.stopPropagation();
  }

  return (
    <>
      <button
        aria-expanded={open}
        aria-haspopup="menu"
        aria-label={label}
        className={cx(buttonClassName(variant, size, square), className)}
        data-square={square || undefined}
        onKeyDown={onTriggerKeyDown}
        popoverTarget={id}
        ref={triggerRef}
        type="button"
      >
        {trigger ?? <Ellipsis className="size-4" />}
      </button>
      <div
        aria-label={label}
        className="enter-fade fixed inset-auto m-0 min-w-44 max-w-72 max-h-[calc(100dvh-1rem)] overflow-y-auto rounded-lg max-md:max-h-[calc(100dvh-10rem)] bg-surface-raised p-1 text-left font-normal font-sans text-sm text-text shadow-overlay"
        id={id}
        onKeyDown={onMenuKeyDown}
        onToggle={(event) => setOpen(event.newState === "open")}
        popover="auto"
        ref={menuRef}
        role="menu"
        tabIndex={-1}
      >
        <MenuContext value={close}>{open && children}</MenuContext>
      </div>
    </>
  );
}

const moves: Partial<Record<string, "first" | "last" | "next" | "previous">> = {
  ArrowDown: "next",
  ArrowUp: "previous",
  Home: "first",
  End: "last",
};

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
}

/** Moves the focus inside a menu; the ends are joined. */
function focusItem(menu: HTMLElement, where: "first" | "last" | "next" | "previous"): void {
  const items = itemsOf(menu);
  const current = items.indexOf(document.activeElement as HTMLElement);
  const index = {
    first: 0,
    last: items.length - 1,
    next: current + 1 >= items.length ? 0 : current + 1,
    previous: current <= 0 ? items.length - 1 : current - 1,
  }[where];
  items[index]?.focus();
}

/** The next item, after the focused one, whose text begins with `letter`. */
function focusItemByText(menu: HTMLElement, letter: string): void {
  const items = itemsOf(menu);
  const after = items.indexOf(document.activeElement as HTMLElement) + 1;
  const rotated = [...items.slice(after), ...items.slice(0, after)];
  rotated.find((item) => item.textContent.trim().toLowerCase().startsWith(letter.toLowerCase()))?.focus();
}
