import { describeEvent } from "#components/license/event-text.ts";
import { Card } from "#components/ui/card.tsx";
import { majorMoneyText } from "#components/ui/money-text.ts";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { RecentEventRow } from "#lib/services/overview/get.ts";

/** What has happened last, newest first. */
export function ActivityCard({ events }: { readonly events: readonly RecentEventRow[] }) {
  return (
    <Card flush title="Recent activity">
      {events.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-text-muted">Nothing has happened yet.</p>
      ) : (
        <ol className="divide-y border-t">
          {events.map((event) => (
            <ActivityLine event={event} key={event.id} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function ActivityLine({ event }: { readonly event: RecentEventRow }) {
  const { kind, data } = event;
  const described = describeEvent(kind, data);
  const detail = kind === "wallet.topped_up" ? majorMoneyText(data.amount, data.currency) : described.detail;
  const subject = subjectOf(event);
  return (
    <li className="flex items-baseline justify-between gap-x-4 px-4 py-2 text-sm">
      <p className="wrap-anywhere min-w-0">
        {described.title}
        {subject && (
          <>
            {": "}
            <TextLink href={subject.href}>{subject.name}</TextLink>
          </>
        )}
        {detail && `, ${detail}`}
        {described.until && (
          <>
            , until <Timestamp format="date" value={described.until} />
          </>
        )}
      </p>
      <span className="shrink-0 text-text-muted">
        <Timestamp format="relative" value={event.occurredAt} />
      </span>
    </li>
  );
}

function subjectOf({ licenseId, bundleInstanceId, name, server }: RecentEventRow) {
  const href =
    licenseId !== null ? `/licenses/${licenseId}` : bundleInstanceId !== null ? `/bundles/${bundleInstanceId}` : null;
  return href === null ? null : { name: `${name} on ${server}`, href };
}
