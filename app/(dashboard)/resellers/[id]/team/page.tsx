import { Users } from "lucide-react";
import { requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import { ResellerHeader } from "#app/(dashboard)/resellers/[id]/header.tsx";
import { userActionsFor } from "#app/(dashboard)/users/actions-for.ts";
import type { PageProps } from "#app/page-props.ts";
import { Allowed } from "#components/shell/permissions.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { CreateUser } from "#components/user/create-user.tsx";
import { UserTable } from "#components/user/user-table.tsx";
import { may, requireAdminUser } from "#lib/dashboard/session.ts";
import { listUsers } from "#lib/services/user/list.ts";

/** A team is small. */
const MAX_USERS = 200;

export default async function ResellerTeamPage({ params }: PageProps<"id">) {
  const [user, { id }] = await Promise.all([requireAdminUser("admin:read"), params]);
  const looked = await requireReseller(id);
  const { ctx } = looked;
  const { resellerId, name } = looked.reseller;
  const { rows: users } = await listUsers(ctx, { limit: MAX_USERS });
  const actions = userActionsFor(resellerId);
  const first = users.length === 0;
  // In one place, however many users there are: its dialog shows the first user's link after the table has appeared.
  const addUser = (
    <Allowed to="users:write">
      <CreateUser
        create={actions.create}
        description={`They sign in for ${name}.${first ? " The first user is an owner: they manage its team." : ""}`}
        first={first}
        kind="reseller"
        label="Invite user"
      />
    </Allowed>
  );
  return (
    <>
      <ResellerHeader actions={addUser} of={looked} page="Team" />
      <Card flush title="Who has access">
        {first ? (
          <EmptyState
            description="Until you invite a user, only this reseller's API keys work."
            icon={<Users />}
            title="No one can sign in yet"
          />
        ) : (
          <UserTable
            actions={may(user, "users:write") ? actions : null}
            now={ctx.now()}
            readerId={user.userId}
            users={users}
          />
        )}
      </Card>
    </>
  );
}
