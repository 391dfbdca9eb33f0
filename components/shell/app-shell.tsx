import type { ReactNode } from "react";
import { cx } from "#components/ui/cx.ts";
import { Link } from "#components/ui/link.tsx";
import { TimeZoneNote } from "#components/ui/time-zone.tsx";
import { ToastRegion } from "#components/ui/toast-region.tsx";
import { BottomNavigation } from "./bottom-navigation.tsx";
import { KeptFocus } from "./kept-focus.tsx";
import { Logo } from "./logo.tsx";
import { ModeBanners } from "./mode-banner.tsx";
import type { NavigationItem } from "./navigation.ts";
import { NavigationList } from "./navigation-list.tsx";
import { PageSlot } from "./page-slot.tsx";
import { MAIN_ID, SkipLink } from "./skip-link.tsx";

export interface AppShellProps {
  readonly navigation: readonly NavigationItem[];
  readonly homeHref: string;
  /** At the end of the header: PaletteButton, NotificationBell, LiveWalletSlot, UserMenu. */
  readonly controls: ReactNode;
  /** On every page, however far it is scrolled: a TestModeBanner, an ActingBanner. */
  readonly banners: readonly ReactNode[];
  /** Whose pages these are; forms send it with their key (`newIdempotencyKey`). */
  readonly owner: string;
  /** Above the page, and gone once it is scrolled: a SafeModeBanner. */
  readonly notice?: ReactNode;
  readonly children: ReactNode;
}

/** Below the header of 3.5 rem and so many banners of about 2.6. */
const tableHeadTops = ["[--table-head-top:3.5rem]", "[--table-head-top:6.0625rem]", "[--table-head-top:8.625rem]"];

/** The frame of every signed-in page: side bar on desktops, bars at top and bottom on phones. */
export function AppShell({ navigation, homeHref, controls, banners, owner, notice, children }: AppShellProps) {
  return (
    <div
      className={cx("min-h-dvh md:grid md:grid-cols-[14rem_minmax(0,1fr)] print:block", tableHeadTops[banners.length])}
      data-owner={owner}
    >
      <SkipLink />
      <nav
        aria-label="Main"
        className="sticky top-0 flex h-dvh flex-col gap-5 overflow-y-auto border-r bg-surface px-3 py-3.5 max-md:hidden"
      >
        <Link className="self-start rounded-md px-2" href={homeHref}>
          <Logo />
        </Link>
        <NavigationList items={navigation} />
      </nav>
      <div className="flex min-w-0 flex-col">
        {notice && <div data-screen-only="">{notice}</div>}
        <header data-screen-only="" className="sticky top-0 z-30 border-b bg-canvas/95 backdrop-blur-sm">
          <ModeBanners banners={banners} />
          <div className="mx-auto flex h-14 max-w-6xl items-center gap-2 px-4 md:px-8">
            <Link className="rounded-md max-[24rem]:[&_span>span]:sr-only md:hidden" href={homeHref}>
              <Logo />
            </Link>
            <div className="ml-auto flex items-center gap-2 max-sm:gap-1">{controls}</div>
          </div>
        </header>
        <main
          className="mx-auto w-full max-w-6xl flex-1 px-4 pt-6 pb-[calc(6rem+var(--toast-space,0px))] outline-none md:px-8 md:pb-12"
          id={MAIN_ID}
          tabIndex={-1}
        >
          <PageSlot>{children}</PageSlot>
          <TimeZoneNote />
        </main>
      </div>
      <BottomNavigation items={navigation} />
      <ToastRegion />
      <KeptFocus />
    </div>
  );
}
