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
      {entries.map((entry) =>
        "lines" in entry ? (
          <GroupLine group={entry} key={entry.id} mark={mark} />
        ) : (
          <Line key={entry.id} line={entry} mark={mark} />
        ),
      )}
    </ol>
  );
}

interface LineProps extends Pick<NotificationListProps, "mark"> {
  readonly line: NotificationLine;
}

function Line({ line: { at, unread, ...alert }, mark }: LineProps) {
  return (
    <AlertLine
      alert={alert}
      control={<MarkOne action={mark} id={alert.id} unread={unread} />}
      note={<Note at={at} unread={unread ? "Unread" : null} />}
    />
  );
}

interface GroupLineProps extends Pick<NotificationListProps, "mark"> {
  readonly group: NotificationGroup;
}

function GroupLine({ group: { at, unread, lines, ...alert }, mark }: GroupLineProps) {
  return (
    <AlertLine
      alert={alert}
      control={
        <span className="grid size-7 place-items-center pointer-coarse:size-9">
          <UnreadDot unread={unread > 0} />
        </span>
      }
      more={
        <Disclosure className="mt-1" openSummary="Hide" summary={`Show ${lines.length}`}>
          <ol aria-label={alert.title} className="mt-1 divide-y border-t">
            {lines.map((line) => (
              <Line key={line.id} line={line} mark={mark} />
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
