"use client";
import { usePathname } from "next/navigation";
import { cx } from "#components/ui/cx.ts";
import { Link } from "#components/ui/link.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import { countText, isCurrent, type NavigationItem } from "./navigation.ts";

export interface NavigationListProps {
  readonly items: readonly NavigationItem[];
  readonly onNavigate?: () => void;
}

/** All of the navigation, one below the other: the side bar's content, and the phone's "More" panel. */
export function NavigationList({ items, onNavigate }: NavigationListProps) {
  const pathname = usePathname();
  return (
    <ul className="flex flex-col gap-px">
      {items.map((item) => {
        const current = isCurrent(item.href, pathname);
        return (
          <li key={item.href}>
            <Link
              aria-current={current ? "page" : undefined}
              className={cx(
                "flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm transition-colors pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0",
                current
                  ? "bg-surface-selected font-medium text-text"
                  : "text-text-muted hover:bg-surface-hover hover:text-text",
              )}
              href={item.href}
              onClick={onNavigate}
            >
              {item.icon}
              <span className="flex-1 truncate">{item.label}</span>
              {item.count !== undefined && item.count > 0 && (
                <span className="tabular rounded-sm bg-accent-soft px-1.5 font-medium text-accent-text text-xs">
                  <span aria-hidden>{countText(item.count)}</span>
                  <span className="sr-only">{numberText(item.count)} waiting</span>
                </span>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
