import { requireReseller, resellerTitle } from "#app/(dashboard)/resellers/[id]/find.ts";
import { ResellerHeader } from "#app/(dashboard)/resellers/[id]/header.tsx";
import {
  create,
  disable,
  enable,
  inviteAgain,
  removeFactors,
  resetPassword,
  setRole,
} from "#app/(dashboard)/users/actions.ts";
import { Allowed } from "#components/shell/permissions.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { CreateUser } from "#components/user/create-user.tsx";
import { UserTable } from "#components/user/user-table.tsx";
import { may, requireAdminUser } from "#lib/dashboard/session.ts";
import { listUsers } from "#lib/services/user/list.ts";

export const generateMetadata = resellerTitle("Team");

/** A team is small. */
const MAX_USERS = 200;

export default async function ResellerTeamPage({ params }: { readonly params: Promise<{ readonly id: string }> }) {
  const [user, { id }] = await Promise.all([requireAdminUser("admin:read"), params]);
  const looked = await requireReseller(id);
  const { ctx } = looked;
  const { resellerId, name } = looked.reseller;
  const { users } = await listUsers(ctx, { limit: MAX_USERS });
  const actions = {
    create: create.bind(null, { resellerId }),
    inviteAgain: inviteAgain.bind(null, { resellerId }),
    setRole: setRole.bind(null, { resellerId }),
    resetPassword: resetPassword.bind(null, { resellerId }),
    removeFactors: removeFactors.bind(null, { resellerId }),
    disable: disable.bind(null, { resellerId }),
    enable: enable.bind(null, { resellerId }),
  };
  return (
    <>
      <ResellerHeader of={looked} />
      <Card
        actions={
          <Allowed to="users:write">
            <CreateUser
              create={actions.create}
              description={
                users.length === 0
                  ? `They sign in for ${name}. The first user is an owner: they manage its team.`
                  : `They sign in for ${name}.`
              }
              first={users.length === 0}
              kind="reseller"
              label="Add a user"
            />
          </Allowed>
        }
        flush
        title="Team"
      >
        {users.length === 0 ? (
          <EmptyState
            description="Until someone is added, only this reseller's API keys work."
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
