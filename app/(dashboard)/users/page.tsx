import type { PageProps } from "#app/page-props.ts";
import { ListCard } from "#components/ui/list-card.tsx";
import { loadSearch, onward, searchHref } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { SearchBar } from "#components/ui/search-bar.tsx";
import { CreateUser } from "#components/user/create-user.tsx";
import { UserTable } from "#components/user/user-table.tsx";
import { contextOf, may, requireAdminUser } from "#lib/dashboard/session.ts";
import { listUsers } from "#lib/services/user/list.ts";
import { userActionsFor } from "./actions-for.ts";

const PATH = "/users";

export default async function UsersPage({ searchParams }: PageProps) {
  const [user, { q, before }] = await Promise.all([requireAdminUser("admin:read"), loadSearch(searchParams)]);
  const ctx = contextOf(user);
  const page = await listUsers(ctx, { text: q, before });
  const actions = userActionsFor(null);
  return (
    <>
      <PageHeader
        actions={
          may(user, "admins:write") && (
            <CreateUser
              create={actions.create}
              description="Add users of a reseller on its Team tab."
              kind="admin"
              label="Invite administrator"
            />
          )
        }
        description="Everyone who signs in to the dashboard: administrators and resellers' users."
        title="Users"
      />
      <SearchBar label="Search users" placeholder="Name, email or reseller" />
      <ListCard
        empty={{ title: "No users yet" }}
        filter={{
          view: { q },
          clearHref: PATH,
          title: "No user matches",
          none: "No user has this in their name, email address or reseller.",
        }}
        page={page}
        pages={onward((before) => searchHref(PATH, { q, before }), before, page.next)}
      >
        <UserTable
          actions={may(user, "users:write") ? actions : null}
          managesAdmins={may(user, "admins:write")}
          organizations
          now={ctx.now()}
          readerId={user.userId}
          users={page.rows}
        />
      </ListCard>
    </>
  );
}
