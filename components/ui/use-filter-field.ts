import { type ChangeEvent, type KeyboardEvent, useState } from "react";

/**
 * A typed filter of a list: takes effect on Enter and when the field is left, and follows its URL without losing the
 * focus. Spread onto an input.
 * @param onChoose gets null for nothing
 */
export function useFilterField(value: string, onChoose: (text: string | null) => void) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setText(value);
  }
  function choose() {
    if (text.trim() !== value) onChoose(text.trim() || null);
  }
  return {
    value: text,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setText(target.value),
    onBlur: choose,
    onKeyDown: ({ key }: KeyboardEvent<HTMLInputElement>) => {
      if (key === "Enter") choose();
    },
  };
}
