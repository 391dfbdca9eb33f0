import { BellOff } from "lucide-react";
import { requireSelf } from "#app/(dashboard)/settings/own-user.ts";
import { MarkReadButton } from "#components/notification/mark.tsx";
import { NotificationList } from "#components/notification/notification-list.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf } from "#lib/dashboard/session.ts";
import { listedUntil, listNotifications } from "#lib/services/notification/list.ts";
import { markOne, markRead } from "./actions.ts";
import { groupNotifications } from "./group.ts";

export default async function NotificationsPage() {
  const ctx = contextOf(await requireSelf());
  const notifications = await listNotifications(ctx);
  return (
    <>
      <PageHeader
        actions={
          notifications.some(({ unread }) => unread) && (
            <MarkReadButton action={markRead} until={listedUntil(ctx, notifications).toISOString()} />
          )
        }
        description="The last 30 days, limited to what your role can view."
        title="Notifications"
      />
      <Card flush>
        {notifications.length === 0 ? (
          <EmptyState
            description="Failures, decisions and requests for your attention appear here."
            icon={<BellOff />}
            title="No notifications"
          />
        ) : (
          <NotificationList entries={groupNotifications(notifications)} mark={markOne} />
        )}
      </Card>
    </>
  );
}
