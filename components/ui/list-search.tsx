"use client";
import { Search, X } from "lucide-react";
import { debounce, type Options } from "nuqs";
import { useEffect, useRef } from "react";
import { controlClassName, controlHeightClassName } from "./control-style.ts";
import { cx } from "./cx.ts";
import { IconButton } from "./icon-button.tsx";
import { KeyHint } from "./key-hint.tsx";
import { isShortcutEvent } from "./shortcut-event.ts";
import { Spinner } from "./spinner.tsx";

const SETTLE_MS = 250;

export interface ListSearchProps {
  /** Accessible name, e.g. "Search users". */
  readonly label: string;
  readonly placeholder: string;
  /** From `useListParams`. */
  readonly list: {
    readonly values: { readonly q: string | null };
    readonly pending: boolean;
    readonly change: (change: { q: string | null }, options: Options) => void;
  };
}

/** Searches 250 ms after the last keystroke; immediately on Enter and on clearing. "/" focuses it; Escape empties it. */
export function ListSearch({ label, placeholder, list: { values, pending, change } }: ListSearchProps) {
  const ref = useRef<HTMLInputElement>(null);
  const value = values.q ?? "";

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== "/" || !isShortcutEvent(event)) return;
      event.preventDefault();
      ref.current?.select();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  function search(text: string, options: Options = {}) {
    change({ q: text || null }, { history: "replace", ...options });
  }

  return (
    <div className="relative max-md:w-full">
      <search className="relative flex w-72 max-md:w-full">
        <Search className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-text-muted" />
        <input
          aria-label={label}
          className={cx(controlClassName, controlHeightClassName, "peer px-8 [&::-webkit-search-cancel-button]:hidden")}
          onChange={({ target }) => search(target.value, { limitUrlUpdates: debounce(SETTLE_MS) })}
          onKeyDown={(event) => {
            if (event.key === "Enter") search(value);
            if (event.key === "Escape" && value !== "") {
              event.preventDefault();
              search("");
            }
          }}
          placeholder={placeholder}
          ref={ref}
          type="search"
          value={value}
        />
        {value === "" ? (
          <span className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 peer-focus:hidden pointer-coarse:hidden">
            <KeyHint keys={["/"]} />
          </span>
        ) : (
          <span className="absolute inset-y-0 right-0.5 flex items-center">
            <IconButton
              icon={<X />}
              label="Clear search"
              onClick={() => {
                search("");
                ref.current?.focus();
              }}
            />
          </span>
        )}
      </search>
      {pending && (
        <span className="pointer-events-none absolute inset-y-0 right-9 grid place-items-center text-text-muted">
          <Spinner />
        </span>
      )}
    </div>
  );
}
