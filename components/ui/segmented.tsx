import { useId } from "react";
import { cx } from "./cx.ts";
import { Link } from "./link.tsx";

export interface SegmentedOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

export interface SegmentedProps<Value extends string> {
  /** Accessible name of the group. */
  readonly label: string;
  readonly options: readonly SegmentedOption<Value>[];
  readonly value: Value;
  readonly onValueChange: (value: Value) => void;
}

const frameClassName = "flex w-fit max-w-full flex-wrap rounded-md bg-surface-selected p-0.5";
const optionClassName =
  "relative grid h-7 place-items-center rounded-[0.3125rem] px-2.5 text-sm text-text-muted hover:text-text pointer-coarse:h-9";

/** One of a few: radio buttons, so that arrows move and Tab passes by. */
export function Segmented<Value extends string>({ label, options, value, onValueChange }: SegmentedProps<Value>) {
  const name = useId();
  return (
    <fieldset className={frameClassName}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          className={cx(
            optionClassName,
            "has-checked:bg-surface has-checked:text-text has-checked:shadow-raised has-focus-visible:outline-2 has-focus-visible:outline-focus",
          )}
          key={option.value}
        >
          <input
            autoComplete="off"
            checked={option.value === value}
            className="absolute inset-0 cursor-pointer appearance-none rounded-[inherit] outline-none"
            name={name}
            onChange={() => onValueChange(option.value)}
            type="radio"
            value={option.value}
          />
          <span className="pointer-events-none relative">{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

export interface SegmentedLinksProps {
  /** Accessible name of the group. */
  readonly label: string;
  readonly links: readonly { readonly label: string; readonly href: string; readonly active: boolean }[];
}

/** The same where each choice is an address. */
export function SegmentedLinks({ label, links }: SegmentedLinksProps) {
  return (
    <nav aria-label={label} className={frameClassName}>
      {links.map((link) => (
        <Link
          aria-current={link.active ? "true" : undefined}
          className={cx(optionClassName, link.active && "bg-surface text-text shadow-raised")}
          href={link.href}
          key={link.label}
          scroll={false}
        >
          {link.label}
        </Link>
      ))}
    </nav>
  );
}
