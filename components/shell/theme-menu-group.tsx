"use client";
import { Check, Monitor, Moon, Sun } from "lucide-react";
import { MenuGroup, MenuItem } from "#components/ui/menu-item.tsx";
import { THEME_COOKIE, type Theme } from "./theme.ts";

const options = [
  { value: "system", label: "System", icon: <Monitor /> },
  { value: "light", label: "Light", icon: <Sun /> },
  { value: "dark", label: "Dark", icon: <Moon /> },
] as const;

/** For menus, where radio buttons have no place. Rendered while the menu is open, which a choice closes. */
export function ThemeMenuGroup() {
  const theme = themeOfDocument();
  return (
    <MenuGroup label="Theme">
      {options.map(({ value, label, icon }) => (
        <MenuItem
          checked={value === theme}
          icon={icon}
          key={value}
          onSelect={() => setTheme(value)}
          trailing={value === theme && <Check />}
        >
          {label}
        </MenuItem>
      ))}
    </MenuGroup>
  );
}

const ONE_YEAR_SECONDS = 31_536_000;

/** `<html data-theme>` is the state. */
function themeOfDocument(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Changes the page at once, and by the cookie each next one. */
function setTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we support
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${ONE_YEAR_SECONDS}; samesite=lax`;
}
