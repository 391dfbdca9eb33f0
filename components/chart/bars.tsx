"use client";
import { type ComponentProps, type ReactNode, useState } from "react";
import { cx } from "#components/ui/cx.ts";
import { Link } from "#components/ui/link.tsx";

export interface BarsEntry {
  /** Below the bar: `Nov`. */
  readonly label: string;
  /** All its values in words. */
  readonly text: string;
  /** Where it leads; null: it only shows its values. */
  readonly href: string | null;
  readonly chosen: boolean;
  /** From the bottom up, in percent of the axis. */
  readonly parts: readonly { readonly className: string; readonly percent: number }[];
}

export interface BarsProps {
  readonly label: string;
  readonly bars: readonly BarsEntry[];
  /** Of the axis, from the top down. */
  readonly ticks: readonly [top: string, middle: string, zero: string];
}

/** A bar for each stretch of time. Its values stand above while it is pointed at or has the focus. */
export function Bars({ label, bars, ticks }: BarsProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const shown = bars[pointed ?? -1] ?? bars.find(({ chosen }) => chosen);
  return (
    <figure>
      <figcaption className="tabular min-h-5 text-pretty text-sm max-sm:min-h-10">{shown?.text}</figcaption>
      <div className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <div aria-hidden className="tabular flex h-40 flex-col justify-between text-right text-text-muted text-xs">
          {ticks.map((tick, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the three places of the axis
            <span className="-my-2" key={index}>
              {tick}
            </span>
          ))}
        </div>
        <div className="relative min-w-0">
          {/* A phone has no room for all of them: from right to left, it shows the newest first. */}
          <div className="relative overflow-x-auto" dir="rtl">
            <ul
              aria-label={label}
              className="flex min-w-fit max-sm:px-2"
              dir="ltr"
              onPointerLeave={() => setPointed(null)}
            >
              {bars.map((bar, index) => (
                <li className="min-w-6 flex-1 contain-inline-size" key={bar.text}>
                  <Target
                    className={cx(
                      "block w-full rounded-sm",
                      (bar.chosen || pointed === index) && "bg-surface-selected",
                    )}
                    current={bar.chosen}
                    href={bar.href}
                    onBlur={() => setPointed(null)}
                    onFocus={() => setPointed(index)}
                    onPointerEnter={() => setPointed(index)}
                  >
                    <BarContent {...bar} fades={index % 2 === bars.length % 2} />
                  </Target>
                </li>
              ))}
            </ul>
          </div>
          {/* Outside the scroller: inside, they would scroll away with the bars. */}
          <div aria-hidden className="pointer-events-none absolute inset-x-0 top-0 h-40 border-t border-b">
            <div className="absolute inset-x-0 top-1/2 border-t border-dashed opacity-60" />
          </div>
        </div>
      </div>
    </figure>
  );
}

interface TargetProps extends Pick<ComponentProps<"button">, "className" | "onBlur" | "onFocus"> {
  readonly href: string | null;
  readonly current: boolean;
  readonly onPointerEnter: () => void;
  readonly children: ReactNode;
}

function Target({ href, current, onBlur, onFocus, ...rest }: TargetProps) {
  const focus = { onBlur, onFocus } as object;
  if (href === null) return <button type="button" {...rest} {...focus} />;
  return <Link aria-current={current ? "true" : undefined} href={href} scroll={false} {...rest} {...focus} />;
}

/** `fades`: its label has no room on phones. */
function BarContent({ label, text, chosen, parts, fades }: BarsEntry & { readonly fades: boolean }) {
  return (
    <>
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
          "-mx-1 mt-1 block whitespace-nowrap text-center text-xs",
          chosen ? "font-medium text-text" : "text-text-muted",
          fades && "max-sm:invisible",
        )}
      >
        {label}
      </span>
    </>
  );
}
