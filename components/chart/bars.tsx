"use client";
import Link from "next/link";
import { useState } from "react";
import { cx } from "#components/ui/cx.ts";

export interface MonthBar {
  /** `Nov` */
  readonly label: string;
  /** All its values in words. */
  readonly text: string;
  readonly href: string;
  readonly chosen: boolean;
  /** From the bottom up, in percent of the axis. */
  readonly parts: readonly { readonly className: string; readonly percent: number }[];
}

export interface MonthBarsProps {
  readonly label: string;
  readonly bars: readonly MonthBar[];
  /** Of the axis, from the top down. */
  readonly ticks: readonly [top: string, middle: string, zero: string];
}

/** A bar for each month, which leads to it; its values stand above while it is pointed at or has the focus. */
export function MonthBars({ label, bars, ticks }: MonthBarsProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const shown = bars[pointed ?? -1] ?? bars.find(({ chosen }) => chosen);
  return (
    <figure>
      <figcaption className="tabular min-h-5 text-pretty text-sm max-sm:min-h-10">{shown?.text}</figcaption>
      <div className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <div aria-hidden className="tabular flex h-40 flex-col justify-between text-right text-text-muted text-xs">
          {ticks.map((tick, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the three places of the axis
            <span className="-my-2" key={index}>
              {tick}
            </span>
          ))}
        </div>
        <nav aria-label={label} className="relative">
          <div aria-hidden className="pointer-events-none absolute inset-x-0 top-0 h-40 border-t border-b">
            <div className="absolute inset-x-0 top-1/2 border-t border-dashed opacity-60" />
          </div>
          <ul className="flex" onPointerLeave={() => setPointed(null)}>
            {bars.map(({ label: month, text, href, chosen, parts }, index) => (
              <li className="min-w-0 flex-1" key={text}>
                <Link
                  aria-current={chosen ? "true" : undefined}
                  className={cx("block rounded-sm", (chosen || pointed === index) && "bg-surface-selected")}
                  href={href}
                  onBlur={() => setPointed(null)}
                  onFocus={() => setPointed(index)}
                  onPointerEnter={() => setPointed(index)}
                  prefetch={false}
                  scroll={false}
                >
                  <span className="sr-only">{text}</span>
                  <span aria-hidden className="mx-auto flex h-40 w-full max-w-10 flex-col-reverse gap-px px-0.5">
                    {parts.map(({ className, percent }) => (
                      <span
                        className={cx(percent > 0 && "min-h-0.5 last:rounded-t-sm", className)}
                        key={className}
                        style={{ height: `${percent}%` }}
                      />
                    ))}
                  </span>
                  <span
                    aria-hidden
                    className={cx(
                      "mt-1 block truncate text-center text-xs",
                      chosen ? "font-medium text-text" : "text-text-muted",
                      index % 2 === bars.length % 2 && "max-sm:invisible",
                    )}
                  >
                    {month}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </figure>
  );
}
