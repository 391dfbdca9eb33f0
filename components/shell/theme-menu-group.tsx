"use client";
import { Check, Monitor, Moon, Sun } from "lucide-react";
import { MenuGroup, MenuItem } from "#components/ui/menu-item.tsx";
import { useTheme } from "./use-theme.ts";

const options = [
  { value: "system", label: "System", icon: <Monitor aria-hidden /> },
  { value: "light", label: "Light", icon: <Sun aria-hidden /> },
  { value: "dark", label: "Dark", icon: <Moon aria-hidden /> },
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
          trailing={value === theme && <Check aria-hidden />}
        >
          {label}
        </MenuItem>
      ))}
    </MenuGroup>
  );
}
