import { Card } from "#components/ui/card.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { ActivityLine } from "./overview.ts";

/** What has happened last, newest first. */
export function ActivityCard({ lines }: { readonly lines: readonly ActivityLine[] }) {
  return (
    <Card flush title="Recent activity">
      {lines.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-text-muted">Nothing has happened yet.</p>
      ) : (
        <ol className="divide-y border-t">
          {lines.map(({ id, at, title, detail, subject }) => (
            <li className="flex items-baseline justify-between gap-x-4 px-4 py-2 text-sm" key={id}>
              <p className="wrap-anywhere min-w-0">
                {title}
                {subject && (
                  <>
                    {": "}
                    <TextLink href={subject.href} prefetch={false}>
                      {subject.name}
                    </TextLink>
                  </>
                )}
                {detail && `, ${detail}`}
              </p>
              <span className="shrink-0 text-text-muted">
                <Timestamp format="relative" value={at} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
