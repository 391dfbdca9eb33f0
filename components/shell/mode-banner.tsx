import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export interface ModeBannerProps {
  /** The region's name. */
  readonly label: string;
  readonly icon: LucideIcon;
  /** Replaces the text on phones, beside another banner (ModeBanners). */
  readonly short?: ReactNode;
  readonly children: ReactNode;
  readonly button?: ReactNode;
}

/** One line above every page, about the state that all of them are in. */
export function ModeBanner({ label, icon: Icon, short, children, button }: ModeBannerProps) {
  return (
    <section
      aria-label={label}
      className="border-b border-caution/40 bg-caution-soft text-sm max-md:in-data-several:last:min-w-0 max-md:in-data-several:last:flex-1 max-md:in-data-several:not-first:border-l"
    >
      <div className="mx-auto flex h-full min-h-10 max-w-6xl items-center gap-4 px-4 py-1 md:px-8 max-md:in-data-several:gap-2 max-md:in-data-several:px-3">
        <p className="flex min-w-0 flex-1 items-center gap-2">
          <Icon className="size-4 shrink-0 text-caution" />
          <span className={short ? "max-md:in-data-several:hidden" : undefined}>{children}</span>
          {short && <span className="hidden min-w-0 leading-4 max-md:in-data-several:inline">{short}</span>}
        </p>
        {button}
      </div>
    </section>
  );
}

/** Several are one below the other; on phones they share a line. */
export function ModeBanners({ banners }: { readonly banners: readonly ReactNode[] }) {
  return (
    <div className="data-several:max-md:flex" data-several={banners.length > 1 ? "" : undefined}>
      {banners}
    </div>
  );
}
