import { Input } from "./input.tsx";
import { useFilterField } from "./use-filter-field.ts";

export interface FilterInputProps {
  readonly label: string;
  /** Default: the label. */
  readonly placeholder?: string;
  readonly value: string;
  /** On Enter, and when the field is left. */
  readonly onChoose: (text: string | null) => void;
  readonly className?: string;
}

/** Text that a list is filtered by, exactly as typed. */
export function FilterInput({ label, placeholder = label, value, onChoose, className }: FilterInputProps) {
  const field = useFilterField(value, onChoose);
  return (
    <Input
      {...field}
      aria-label={label}
      autoComplete="off"
      className={className}
      placeholder={placeholder}
      spellCheck={false}
    />
  );
}
