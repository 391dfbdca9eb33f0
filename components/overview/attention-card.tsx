import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import type { Alert } from "./alert.ts";

const icons = {
  critical: <CircleAlert aria-hidden className="text-critical" />,
  caution: <TriangleAlert aria-hidden className="text-caution" />,
  info: <Info aria-hidden className="text-accent-text" />,
} as const satisfies Record<Alert["tone"], ReactNode>;

export interface AttentionCardProps {
  readonly alerts: readonly Alert[];
  /** What is said while there are none. */
  readonly none: string;
}

/** What needs somebody, the worst first, and where to go about it. */
export function AttentionCard({ alerts, none }: AttentionCardProps) {
  return (
    <Card flush title="Needs attention">
      {alerts.length === 0 ? (
        <p className="flex items-center gap-2.5 px-4 pb-4 text-sm">
          <CircleCheck aria-hidden className="size-5 shrink-0 text-positive" />
          {none}
        </p>
      ) : (
        <ul className="divide-y border-t">
          {alerts.map(({ id, tone, title, detail, action, href }) => (
            <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 text-sm" key={id}>
              <div className="flex min-w-0 flex-1 basis-64 items-start gap-2.5 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
                {icons[tone]}
                <div>
                  <p className="font-medium">{title}</p>
                  <p className="text-pretty text-text-muted">{detail}</p>
                </div>
              </div>
              <ButtonLink href={href} prefetch={false} size="sm">
                {action}
              </ButtonLink>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
