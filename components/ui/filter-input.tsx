import type { KeyboardEvent } from "react";
import { Input } from "./input.tsx";

export interface FilterInputProps {
  readonly label: string;
  readonly value: string;
  /** On Enter, and when the field is left. */
  readonly onChoose: (text: string | null) => void;
  readonly className?: string;
}

/** Text that a list is filtered by, exactly as typed. */
export function FilterInput({ label, value, onChoose, className }: FilterInputProps) {
  function choose(text: string) {
    if (text.trim() !== value) onChoose(text.trim() || null);
  }
  return (
    <Input
      aria-label={label}
      autoComplete="off"
      className={className}
      defaultValue={value}
      onBlur={({ target }) => choose(target.value)}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === "Enter") choose(event.currentTarget.value);
      }}
      placeholder={label}
      spellCheck={false}
    />
  );
}
