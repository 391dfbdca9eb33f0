"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Dialog } from "#components/ui/dialog.tsx";
import { KeyHint } from "#components/ui/key-hint.tsx";
import { areShortcutsOn, isShortcutEvent, setShortcutsOn } from "#components/ui/shortcut-event.ts";
import { Switch } from "#components/ui/switch.tsx";
import type { NavigationItem } from "./navigation.ts";

/** How long after g the second key may come. */
const SEQUENCE_MS = 1_200;

export interface ShortcutsProps {
  readonly navigation: readonly NavigationItem[];
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Listens for g-then-letter and "?", and is the list of all shortcuts, with the switch that turns them off. */
export function Shortcuts({ navigation, open, onOpenChange }: ShortcutsProps) {
  const router = useRouter();
  const places = navigation.filter((item) => item.shortcutKey !== undefined);

  useEffect(() => {
    let pressedGAtMs = Number.NEGATIVE_INFINITY;
    function onKeyDown(event: KeyboardEvent) {
      if (!isShortcutEvent(event)) return;
      if (event.key === "?") {
        event.preventDefault();
        onOpenChange(true);
        return;
      }
      const place = places.find((item) => item.shortcutKey === event.key);
      if (place !== undefined && event.timeStamp - pressedGAtMs < SEQUENCE_MS) {
        event.preventDefault();
        router.push(place.href);
      }
      pressedGAtMs = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [places, router, onOpenChange]);

  const general = [
    { label: "Search and commands", keys: ["Ctrl", "K"] },
    { label: "Search this list", keys: ["/"] },
    { label: "Next row, previous row", keys: ["j", "k"] },
    { label: "Open the row", keys: ["Enter"] },
    { label: "Select the row", keys: ["x"] },
    { label: "From a selected row to its actions", keys: ["Tab"] },
    { label: "These shortcuts", keys: ["?"] },
  ];

  if (!open) return null;
  return (
    <Dialog onClose={() => onOpenChange(false)} size="sm" title="Keyboard shortcuts">
      <ShortcutSwitch />
      <dl className="mt-3 divide-y border-t text-sm">
        {[
          ...general,
          ...places.map(({ label, shortcutKey = "" }) => ({ label: `Go to ${label}`, keys: ["g", shortcutKey] })),
        ].map(({ label, keys }) => (
          <div className="flex h-8 items-center justify-between" key={label}>
            <dt>{label}</dt>
            <dd>
              <span className="sr-only">{keys.join(" ")}</span>
              <KeyHint keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function ShortcutSwitch() {
  const [on, setOn] = useState(areShortcutsOn);
  return (
    <Switch
      checked={on}
      hint="Switch them off if they get in the way of your assistive technology."
      label="Single-key shortcuts"
      onChange={(event) => {
        setOn(event.target.checked);
        setShortcutsOn(event.target.checked);
      }}
    />
  );
}
