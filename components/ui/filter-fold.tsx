"use client";
import { ListFilter } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { cx } from "./cx.ts";

export interface FilterFoldProps {
  /** One of them is set. */
  readonly active: boolean;
  /** What encloses the filters, on every screen. */
  readonly className?: string;
  readonly children: ReactNode;
}

/** Filters that phones show on demand, so that the list begins on the first screen. Paper shows those that are set. */
export function FilterFold({ active, className = "contents", children }: FilterFoldProps) {
  const [open, setOpen] = useState(active);
  return (
    <>
      <Button
        aria-expanded={open}
        className={cx("w-fit md:hidden", open && "bg-surface-selected")}
        icon={<ListFilter />}
        onClick={() => setOpen(!open)}
      >
        Filters
      </Button>
      <div className={cx(className, !open && "max-md:hidden")} data-screen-only={active ? undefined : ""}>
        {children}
      </div>
    </>
  );
}
