import type { Alert } from "#components/overview/alert.ts";
import { AlertLine } from "#components/overview/alert-line.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { MarkOne, type MarkOneProps } from "./mark-one.tsx";

/** A fact that its reader is notified of. */
export interface NotificationLine extends Alert {
  readonly at: Date;
  readonly unread: boolean;
}

export interface NotificationListProps {
  readonly lines: readonly NotificationLine[];
  readonly mark: MarkOneProps["action"];
}

/** Newest first; what is unread has a dot. */
export function NotificationList({ lines, mark }: NotificationListProps) {
  return (
    <ol aria-label="Notifications" className="divide-y">
      {lines.map(({ at, unread, ...alert }) => (
        <AlertLine
          alert={alert}
          control={<MarkOne action={mark} id={alert.id} unread={unread} />}
          key={alert.id}
          note={
            <span className="ml-2 whitespace-nowrap font-normal text-text-muted text-xs">
              {unread && (
                <>
                  <span aria-hidden className="mr-1.5 inline-block size-2 rounded-full bg-accent" />
                  <span className="sr-only">Unread, </span>
                </>
              )}
              <Timestamp format="relative" value={at} />
            </span>
          }
        />
      ))}
    </ol>
  );
}
