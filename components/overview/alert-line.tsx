import { ChevronRight, CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Link } from "#components/ui/link.tsx";
import type { Alert } from "./alert.ts";

const icons = {
  critical: <CircleAlert className="text-critical" />,
  caution: <TriangleAlert className="text-caution" />,
  info: <Info className="text-accent-text" />,
} as const satisfies Record<Alert["tone"], ReactNode>;

export interface AlertLineProps {
  readonly alert: Alert;
  /** Behind the title, e.g. when it was. */
  readonly note?: ReactNode;
  /** Behind the link. */
  readonly control?: ReactNode;
  /** Below all of it. */
  readonly more?: ReactNode;
}

/** A fact, and where to go about it; in a list. */
export function AlertLine({ alert: { tone, title, detail, action, href }, note, control, more }: AlertLineProps) {
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 px-4 py-2.5 text-sm">
      <div className="flex min-w-0 flex-1 items-start gap-2.5 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
        {icons[tone]}
        <div className="min-w-0">
          <p className="wrap-anywhere font-medium">
            {title}
            {note}
          </p>
          <p className="wrap-anywhere text-pretty text-text-muted">{detail}</p>
        </div>
      </div>
      {/* On phones the whole line is the link. */}
      <Link aria-label={`${title}: ${action}`} className="absolute inset-0 rounded-md sm:hidden" href={href} />
      <div className="flex shrink-0 items-center gap-1.5">
        <ButtonLink className="max-sm:hidden" href={href} size="sm">
          {action}
        </ButtonLink>
        {control && <span className="relative">{control}</span>}
        <ChevronRight className="size-4 text-text-muted sm:hidden" />
      </div>
      {more && <div className="relative w-full pl-6.5">{more}</div>}
    </li>
  );
}
