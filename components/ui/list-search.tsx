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

/** Searches 250 ms after the last keystroke; immediately on Enter and on clearing. */
export function ListSearch({ label, placeholder, list: { values, pending, change } }: ListSearchProps) {
  return (
    <div className="relative max-md:w-full">
      <SearchInput
        className="w-72 max-md:w-full"
        label={label}
        onChange={(text, { settled }) =>
          change(
            { q: text || null },
            { history: "replace", ...(settled ? {} : { limitUrlUpdates: debounce(SETTLE_MS) }) },
          )
        }
        placeholder={placeholder}
        value={values.q ?? ""}
      />
      {pending && (
        <span className="pointer-events-none absolute inset-y-0 right-9 grid place-items-center text-text-muted">
          <Spinner />
        </span>
      )}
    </div>
  );
}

interface SearchInputProps {
  /** Accessible name, e.g. "Search licenses". */
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  /** `settled`: more text is not expected, after Enter and on clearing. */
  readonly onChange: (text: string, how: { readonly settled: boolean }) => void;
  readonly className?: string;
}

/** "/" focuses it; Escape empties it. */
function SearchInput({ label, placeholder, value, onChange, className }: SearchInputProps) {
  const ref = useRef<HTMLInputElement>(null);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== "/" || !isShortcutEvent(event)) return;
      event.preventDefault();
      ref.current?.select();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  return (
    <search className={cx("relative flex", className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-text-muted"
      />
      <input
        aria-label={label}
        className={cx(controlClassName, controlHeightClassName, "peer px-8 [&::-webkit-search-cancel-button]:hidden")}
        onChange={({ target }) => onChange(target.value, { settled: false })}
        onKeyDown={(event) => {
          if (event.key === "Enter") onChange(value, { settled: true });
          if (event.key === "Escape" && value !== "") {
            event.preventDefault();
            onChange("", { settled: true });
          }
        }}
        placeholder={placeholder ?? label}
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
            icon={<X aria-hidden className="size-3.5" />}
            label="Clear search"
            onClick={() => {
              onChange("", { settled: true });
              ref.current?.focus();
            }}
            size="sm"
          />
        </span>
      )}
    </search>
  );
}
