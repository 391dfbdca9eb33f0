"use client";
import { Menu } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { cx } from "#components/ui/cx.ts";
import { Link } from "#components/ui/link.tsx";
import { Modal } from "#components/ui/modal.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import { countText, isCurrent, type NavigationItem } from "./navigation.ts";
import { NavigationList } from "./navigation-list.tsx";

const entryClassName =
  "flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs focus-visible:-outline-offset-2 [&_svg]:size-5";

/** Phones: the primary places within reach of the thumb, the others behind "More". */
export function BottomNavigation({ items }: { readonly items: readonly NavigationItem[] }) {
  const pathname = usePathname();
  const [moreOpen, setMoreOpen] = useState(false);
  const primary = items.filter((item) => item.primary);
  const waitingElsewhere = items.reduce((sum, item) => sum + (item.primary ? 0 : (item.count ?? 0)), 0);
  const isElsewhere = items.some((item) => !item.primary && isCurrent(item.href, pathname));

  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
      data-bottom-bar=""
    >
      {primary.map((item) => {
        const current = isCurrent(item.href, pathname);
        return (
          <Link
            aria-current={current ? "page" : undefined}
            className={cx(entryClassName, current ? "font-medium text-accent-text" : "text-text-muted")}
            href={item.href}
            key={item.href}
          >
            <Waiting count={item.count}>{item.icon}</Waiting>
            {item.label}
            <SpokenCount count={item.count} />
          </Link>
        );
      })}
      <button
        aria-haspopup="dialog"
        className={cx(entryClassName, isElsewhere ? "font-medium text-accent-text" : "text-text-muted")}
        onClick={() => setMoreOpen(true)}
        type="button"
      >
        <Waiting count={waitingElsewhere}>
          <Menu />
        </Waiting>
        More
        <SpokenCount count={waitingElsewhere} />
      </button>
      {moreOpen && (
        <Modal
          className="enter-side mr-0 h-dvh max-h-dvh min-h-dvh w-full max-w-full overflow-hidden sm:max-w-md"
          onClose={() => setMoreOpen(false)}
          title="Everything"
        >
          <NavigationList onNavigate={() => setMoreOpen(false)} items={items} />
        </Modal>
      )}
    </nav>
  );
}

interface CountProps {
  readonly count: number | undefined;
}

/** An icon with how much waits there. */
function Waiting({ count = 0, children }: CountProps & { readonly children: ReactNode }) {
  return (
    <span className="relative">
      {children}
      {count > 0 && (
        <span
          aria-hidden
          className="tabular absolute -top-1.5 left-3.5 rounded-full bg-accent px-1 font-medium text-text-on-accent text-xs leading-4"
        >
          {countText(count)}
        </span>
      )}
    </span>
  );
}

function SpokenCount({ count = 0 }: CountProps) {
  return count > 0 && <span className="sr-only">{numberText(count)} waiting</span>;
}
