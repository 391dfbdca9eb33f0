import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { HealthLine } from "./health.ts";

/** Whether changes reach their providers, and events their endpoints. */
export function HealthCard({
  lines,
  title = "Health",
}: {
  readonly lines: readonly HealthLine[];
  readonly title?: string;
}) {
  return (
    <Card flush title={title}>
      <ul className="divide-y border-t">
        {lines.map(({ id, name, href, tone, state, detail }) => (
          <li className="px-4 py-2.5 text-sm" key={id}>
            <div className="flex items-start justify-between gap-3">
              {href === null ? (
                <p className="font-medium">{name}</p>
              ) : (
                <TextLink className="wrap-anywhere min-w-0 font-medium" href={href}>
                  {name}
                </TextLink>
              )}
              <Badge tone={tone}>{state}</Badge>
            </div>
            <p className="text-pretty text-text-muted">{detail}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
