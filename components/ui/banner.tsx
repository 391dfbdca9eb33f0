import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx.ts";

export type BannerTone = "info" | "positive" | "caution" | "critical";

const styles = {
  info: { className: "border-accent-text/25 bg-accent-soft", icon: <Info className="text-accent-text" /> },
  positive: {
    className: "border-positive/25 bg-positive-soft",
    icon: <CircleCheck className="text-positive" />,
  },
  caution: {
    className: "border-caution/30 bg-caution-soft",
    icon: <TriangleAlert className="text-caution" />,
  },
  critical: {
    className: "border-critical/30 bg-critical-soft",
    icon: <CircleAlert className="text-critical" />,
  },
} as const satisfies Record<BannerTone, { className: string; icon: ReactNode }>;

export interface BannerProps {
  readonly tone?: BannerTone;
  readonly title: ReactNode;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

/** A standing remark about the page or the account. Something that just went wrong is an ErrorState. */
export function Banner({ tone = "info", title, action, children }: BannerProps) {
  const { className, icon } = styles[tone];
  return (
    <div className={cx("@container rounded-lg border px-4 py-2.5 text-sm", className)}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 basis-64 items-start gap-2.5 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
          {icon}
          <div>
            <p className="font-medium">{title}</p>
            {children && <div className="text-text-muted">{children}</div>}
          </div>
        </div>
        {action && <div className="@max-md:pl-6.5">{action}</div>}
      </div>
    </div>
  );
}
