import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export interface ModeBannerProps {
  /** The region's name. */
  readonly label: string;
  readonly icon: LucideIcon;
  readonly children: ReactNode;
  readonly button?: ReactNode;
}

/** One line above every page, about the state that all of them are in. */
export function ModeBanner({ label, icon: Icon, children, button }: ModeBannerProps) {
  return (
    <section aria-label={label} className="border-b border-caution/40 bg-caution-soft text-sm">
      <div className="mx-auto flex min-h-10 max-w-6xl items-center gap-4 px-4 py-1 md:px-8">
        <p className="flex min-w-0 flex-1 items-center gap-2">
          <Icon aria-hidden className="size-4 shrink-0 text-caution" />
          <span>{children}</span>
        </p>
        {button}
      </div>
    </section>
  );
}
