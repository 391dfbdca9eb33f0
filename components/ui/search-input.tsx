"use client";
import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { controlClassName, controlHeightClassName } from "./control-style.ts";
import { cx } from "./cx.ts";
import { IconButton } from "./icon-button.tsx";
import { KeyHint } from "./key-hint.tsx";
import { isShortcutEvent } from "./shortcut-event.ts";

const SETTLE_MS = 250;

export interface SearchInputProps {
  /** Accessible name, e.g. "Search licenses". */
  readonly label: string;
  readonly placeholder?: string;
  readonly defaultValue?: string;
  /** Called 250 ms after the last keystroke, and at once on Enter and on clearing. */
  readonly onSearch: (text: string) => void;
  readonly className?: string;
}

/** "/" goes to it; Escape empties it. */
export function SearchInput({ label, placeholder, defaultValue = "", onSearch, className }: SearchInputProps) {
  const ref = useRef<HTMLInputElement>(null);
  const timerRef = useRef(0);
  const [text, setText] = useState(defaultValue);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== "/" || !isShortcutEvent(event)) return;
      event.preventDefault();
      ref.current?.select();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      window.clearTimeout(timerRef.current);
    };
  }, []);

  function change(next: string, delayMs: number) {
    setText(next);
    window.clearTimeout(timerRef.current);
    timerRef.current = window.setTimeout(() => onSearch(next.trim()), delayMs);
  }

  return (
    <search className={cx("relative flex", className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-text-muted"
      />
      <input
        aria-label={label}
        className={cx(controlClassName, controlHeightClassName, "peer px-8 [&::-webkit-search-cancel-button]:hidden")}
        onChange={(event) => change(event.target.value, SETTLE_MS)}
        onKeyDown={(event) => {
          if (event.key === "Enter") change(text, 0);
          if (event.key === "Escape" && text !== "") {
            event.preventDefault();
            change("", 0);
          }
        }}
        placeholder={placeholder ?? label}
        ref={ref}
        type="search"
        value={text}
      />
      {text === "" ? (
        <span className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 peer-focus:hidden pointer-coarse:hidden">
          <KeyHint keys={["/"]} />
        </span>
      ) : (
        <span className="absolute inset-y-0 right-0.5 flex items-center">
          <IconButton
            icon={<X aria-hidden className="size-3.5" />}
            label="Clear search"
            onClick={() => {
              change("", 0);
              ref.current?.focus();
            }}
            size="sm"
          />
        </span>
      )}
    </search>
  );
}
