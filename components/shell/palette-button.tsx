"use client";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { KeyHint } from "#components/ui/key-hint.tsx";
import { loadDialog } from "#components/ui/load-dialog.tsx";
import type { CommandPaletteProps } from "./command-palette.tsx";

const CommandPalette = loadDialog(() => import("./command-palette.tsx"));

/** Opens the palette, as do Ctrl K and ⌘ K; its code comes with the first opening. */
export function PaletteButton(props: Omit<CommandPaletteProps, "onClose">) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const modified = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!modified || event.key.toLowerCase() !== "k" || event.isComposing) return;
      event.preventDefault();
      if (document.querySelector("dialog[open]") === null) setOpen(true);
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  return (
    <>
      <Button
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        className="max-sm:bg-transparent max-sm:inset-ring-0 max-sm:shadow-none"
        icon={<Search className="size-4 text-text-muted" />}
        onClick={() => setOpen(true)}
      >
        <span className="max-sm:sr-only">Search</span>
        <span className="sr-only"> and commands</span>
        <span className="max-md:hidden">
          <KeyHint keys={["Ctrl", "K"]} />
        </span>
      </Button>
      {open && <CommandPalette onGiveUp={close} props={{ ...props, onClose: close }} />}
    </>
  );
}
