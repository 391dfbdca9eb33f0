import type { Metadata } from "next";
import { requireSelf } from "#app/(dashboard)/settings/own-user.ts";
import { SettingsTabs } from "#app/(dashboard)/settings/tabs.tsx";
import { create } from "#app/(dashboard)/users/actions.ts";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { CreateUser } from "#components/user/create-user.tsx";
import { UserTable } from "#components/user/user-table.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { listUsers } from "#lib/services/user/list.ts";

export const metadata: Metadata = { title: "Team" };

/** An account's people are few. */
const MAX_LISTED = 200;

export default async function TeamPage() {
  await requireSelf();
  const user = await requireResellerUser();
  const { users } = await listUsers(contextOf(user, { live: true }), { limit: MAX_LISTED });
  return (
    <>
      <PageHeader
        actions={
          user.liveResellerId === null && (
            <CreateUser
              create={create.bind(null, { resellerId: null })}
              description="They get full access to this account, as you have."
              label="Add a person"
            />
          )
        }
        title="Settings"
      />
      <SettingsTabs />
      <Card
        description="Everyone here has full access. To reset a password or remove someone, ask whoever runs this License Desk."
        flush
        title="Who has access"
      >
        <UserTable actions={null} readerId={user.userId} users={users} />
      </Card>
    </>
  );
}
