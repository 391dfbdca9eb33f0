import { type ComponentProps, type ReactNode, useId } from "react";
import { namedByOptionText, OptionText } from "./option-text.tsx";

export interface SwitchProps extends Omit<ComponentProps<"input">, "type" | "role" | "className"> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}

/** For what takes effect at once; in a form that is submitted, use Checkbox. */
export function Switch({ label, hint, "aria-describedby": describedBy, ...rest }: SwitchProps) {
  const id = useId();
  return (
    <label className="flex items-start justify-between gap-4 py-0.5 text-sm has-disabled:opacity-60">
      <OptionText hint={hint} id={id} label={label} />
      <span className="relative mt-0.5 inline-flex h-5 w-8 shrink-0">
        <input
          autoComplete="off"
          {...rest}
          {...namedByOptionText({ id, hint }, describedBy)}
          className="peer h-5 w-8 appearance-none rounded-full bg-border-control transition-colors checked:bg-accent"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says by itself whether it is checked
          role="switch"
          type="checkbox"
        />
        <span className="pointer-events-none absolute top-0.5 left-0.5 size-4 rounded-full bg-text-on-accent shadow-raised transition-transform peer-checked:translate-x-3" />
      </span>
    </label>
  );
}
