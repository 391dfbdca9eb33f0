"use client";
import { Bell } from "lucide-react";
import { countText } from "#components/shell/navigation.ts";
import { buttonClassName } from "#components/ui/button-style.ts";
import { Link } from "#components/ui/link.tsx";
import { type ReadUnread, useUnread } from "./use-unread.ts";

export interface NotificationBellProps {
  readonly initial: number;
  readonly read: ReadUnread;
}

/** Leads to the notifications, and says how many are unread. */
export function NotificationBell({ initial, read }: NotificationBellProps) {
  const unread = useUnread(initial, read);
  const count = countText(unread);
  return (
    <Link className={buttonClassName("ghost", "md", true)} href="/notifications">
      <span className="sr-only">{unread === 0 ? "Notifications" : `Notifications, ${count} unread`}</span>
      <span aria-hidden className="relative">
        <Bell className="size-4" />
        {unread > 0 && (
          <span className="tabular absolute -top-2.5 -right-2.5 min-w-4 rounded-full bg-accent px-1 text-center font-medium text-[0.625rem] text-text-on-accent leading-4">
            {count}
          </span>
        )}
      </span>
    </Link>
  );
}
