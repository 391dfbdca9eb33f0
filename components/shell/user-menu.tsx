"use client";
import { BookOpen, Keyboard, LogOut, Settings } from "lucide-react";
import { useState } from "react";
import { leave } from "#components/auth/leave.ts";
import { DropdownMenu } from "#components/ui/dropdown-menu.tsx";
import { KeyHint } from "#components/ui/key-hint.tsx";
import { MenuItem, MenuLabel, MenuLink, MenuSeparator } from "#components/ui/menu-item.tsx";
import type { NavigationItem } from "./navigation.ts";
import { Shortcuts } from "./shortcuts.tsx";
import { ThemeMenuGroup } from "./theme-menu-group.tsx";

export interface UserMenuProps {
  readonly user: {
    readonly name: string;
    readonly email: string;
    /** The reseller, or "Administration". */
    readonly organization: string;
  };
  readonly settingsHref?: string | undefined;
  /** A server action. */
  readonly signOut: () => Promise<void>;
  readonly navigation: readonly NavigationItem[];
}

export function UserMenu({ user, settingsHref, signOut, navigation }: UserMenuProps) {
  const initials = initialsOf(user.name);
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  return (
    <>
      <DropdownMenu
        // Begins with the letters that are seen: who says "click ML" means this (WCAG 2.5.3).
        label={`${initials}, account of ${user.name}`}
        size="md"
        square
        trigger={
          <span className="grid size-7 place-items-center rounded-md bg-accent-soft font-medium text-accent-text text-xs">
            {initials}
          </span>
        }
      >
        <MenuLabel>
          <span className="block truncate font-medium text-sm text-text">{user.name}</span>
          <span className="block truncate">{user.email}</span>
          <span className="block truncate">{user.organization}</span>
        </MenuLabel>
        <MenuSeparator />
        <ThemeMenuGroup />
        <MenuSeparator />
        {settingsHref !== undefined && (
          <MenuLink href={settingsHref} icon={<Settings />}>
            Settings
          </MenuLink>
        )}
        <MenuLink href="/docs" icon={<BookOpen />}>
          API reference
        </MenuLink>
        <MenuItem icon={<Keyboard />} onSelect={() => setShortcutsOpen(true)} trailing={<KeyHint keys={["?"]} />}>
          Keyboard shortcuts
        </MenuItem>
        <MenuItem icon={<LogOut />} onSelect={() => leave(signOut)}>
          Sign out
        </MenuItem>
      </DropdownMenu>
      <Shortcuts onOpenChange={setShortcutsOpen} open={shortcutsOpen} navigation={navigation} />
    </>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const last = words.length > 1 ? words.at(-1) : undefined;
  return [words[0], last]
    .map((word) => word?.charAt(0) ?? "")
    .join("")
    .toUpperCase();
}
