"use client";
import { Check } from "lucide-react";
import { createContext, type ReactNode, use } from "react";
import { cx } from "./cx.ts";
import { Link } from "./link.tsx";

/** Closes the surrounding menu and gives the focus back to its button. */
export const MenuContext = createContext<() => void>(() => {});

interface MenuEntryProps {
  readonly icon?: ReactNode;
  /** At the end of the line, e.g. a KeyHint. */
  readonly trailing?: ReactNode;
  readonly children: ReactNode;
}

export interface MenuItemProps extends MenuEntryProps {
  readonly onSelect: () => void;
  readonly tone?: "default" | "critical";
  /** Given, the item is one of a set of which one is chosen. */
  readonly checked?: boolean;
}

export interface MenuCheckboxItemProps {
  readonly checked: boolean;
  readonly onCheckedChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

export interface MenuLinkProps extends MenuEntryProps {
  readonly href: string;
}

const entryClassName =
  "flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left outline-none hover:bg-surface-selected focus:bg-surface-selected focus-visible:inset-ring-2 focus-visible:inset-ring-focus pointer-coarse:py-2.5 [&_svg]:size-4 [&_svg]:shrink-0";

export function MenuItem({ onSelect, icon, trailing, tone = "default", checked, children }: MenuItemProps) {
  const close = use(MenuContext);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: present exactly when the role is menuitemradio
    <button
      aria-checked={checked}
      className={cx(entryClassName, tone === "critical" ? "text-critical" : "[&_svg]:text-text-muted")}
      onClick={() => {
        close();
        onSelect();
      }}
      role={checked === undefined ? "menuitem" : "menuitemradio"}
      tabIndex={-1}
      type="button"
    >
      {icon}
      <span className="flex-1">{children}</span>
      {trailing}
    </button>
  );
}

/** One of several that can be on at a time: the menu stays open. */
export function MenuCheckboxItem({ checked, onCheckedChange, children }: MenuCheckboxItemProps) {
  return (
    <button
      aria-checked={checked}
      className={entryClassName}
      onClick={() => onCheckedChange(!checked)}
      role="menuitemcheckbox"
      tabIndex={-1}
      type="button"
    >
      <Check className={checked ? "text-accent-text" : "opacity-0"} />
      <span className="flex-1">{children}</span>
    </button>
  );
}

export function MenuLink({ href, icon, trailing, children }: MenuLinkProps) {
  const close = use(MenuContext);
  return (
    <Link
      className={cx(entryClassName, "[&_svg]:text-text-muted")}
      href={href}
      onClick={close}
      role="menuitem"
      tabIndex={-1}
    >
      {icon}
      <span className="flex-1">{children}</span>
      {trailing}
    </Link>
  );
}

export function MenuSeparator() {
  // biome-ignore lint/a11y/useSemanticElements: an <hr> is not allowed to own a place in a menu
  return <div className="-mx-1 my-1 border-t" role="separator" />;
}

export interface MenuGroupProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** Items that belong together, under a heading. */
export function MenuGroup({ label, children }: MenuGroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed inside a menu
    <div aria-label={label} role="group">
      <p aria-hidden className="px-2 pt-1.5 pb-1 font-medium text-text-muted text-xs">
        {label}
      </p>
      {children}
    </div>
  );
}

/** Text that belongs to no item, e.g. who is signed in. */
export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return (
    <div className="px-2 py-1.5 text-text-muted text-xs" role="presentation">
      {children}
    </div>
  );
}
