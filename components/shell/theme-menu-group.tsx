"use client";
import { Check, Monitor, Moon, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { MenuGroup, MenuItem } from "#components/ui/menu-item.tsx";
import { THEME_COOKIE, type Theme } from "./theme.ts";

const options = [
  { value: "system", label: "System", icon: <Monitor /> },
  { value: "light", label: "Light", icon: <Sun /> },
  { value: "dark", label: "Dark", icon: <Moon /> },
] as const;

/** For menus, where radio buttons have no place. */
export function ThemeMenuGroup() {
  const [theme, setTheme] = useTheme();
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
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function themeOfDocument(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

function setTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we support
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${ONE_YEAR_SECONDS}; samesite=lax`;
  for (const listener of listeners) listener();
}

/** `<html data-theme>` is the state; setting it changes the page at once and the cookie for the next request. */
function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, themeOfDocument, () => "system" as const);
  return [theme, setTheme];
}
