import type { Alert } from "#components/overview/alert.ts";
import { AlertLine } from "#components/overview/alert-line.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { MarkOne, type MarkOneProps } from "./mark.tsx";
import { UnreadDot } from "./unread-dot.tsx";

/** A fact that its reader is notified of. */
export interface NotificationLine extends Alert {
  readonly at: Date;
  readonly unread: boolean;
}

/** Facts alike, which one page answers. */
export interface NotificationGroup extends Alert {
  /** Of the newest. */
  readonly at: Date;
  readonly unread: number;
  readonly lines: readonly NotificationLine[];
}

export type NotificationEntry = NotificationLine | NotificationGroup;

export interface NotificationListProps {
  readonly entries: readonly NotificationEntry[];
  readonly mark: MarkOneProps["action"];
}

/** Newest first; what is unread has a filled dot. */
export function NotificationList({ entries, mark }: NotificationListProps) {
  return (
    <ol aria-label="Notifications" className="divide-y">
      {entries.map((entry) => (
        <Entry entry={entry} key={entry.id} mark={mark} />
      ))}
    </ol>
  );
}

interface EntryProps extends Pick<NotificationListProps, "mark"> {
  readonly entry: NotificationEntry;
}

function Entry({ entry, mark }: EntryProps) {
  if (!("lines" in entry)) {
    const { id, at, unread } = entry;
    return (
      <AlertLine
        alert={entry}
        control={<MarkOne action={mark} id={id} unread={unread} />}
        note={<Note at={at} unread={unread ? "Unread" : null} />}
      />
    );
  }
  const { title, at, unread, lines } = entry;
  return (
    <AlertLine
      alert={entry}
      control={
        <span className="grid size-7 place-items-center pointer-coarse:size-9">
          <UnreadDot unread={unread > 0} />
        </span>
      }
      more={
        <Disclosure className="mt-1" openSummary="Hide" summary={`Show ${lines.length}`}>
          <ol aria-label={title} className="mt-1 divide-y border-t">
            {lines.map((line) => (
              <Entry entry={line} key={line.id} mark={mark} />
            ))}
          </ol>
        </Disclosure>
      }
      note={<Note at={at} unread={unread > 0 ? `${unread} unread` : null} />}
    />
  );
}

function Note({ at, unread }: { readonly at: Date; readonly unread: string | null }) {
  return (
    <span className="ml-2 whitespace-nowrap font-normal text-text-muted text-xs max-sm:ml-0 max-sm:block">
      {unread !== null && <span className="sr-only">{unread}, </span>}
      <Timestamp format="relative" value={at} />
    </span>
  );
}
