import { requireSelf } from "#app/(dashboard)/settings/own-user.ts";
import { SettingsTabs } from "#app/(dashboard)/settings/tabs.tsx";
import { setTeamRule } from "#app/(dashboard)/users/actions.ts";
import { userActionsFor } from "#app/(dashboard)/users/actions-for.ts";
import type { PageProps } from "#app/page-props.ts";
import { ConfirmButton } from "#components/form/confirm-button.tsx";
import { Card } from "#components/ui/card.tsx";
import { loadSearch } from "#components/ui/list-params.ts";
import { NoMatch } from "#components/ui/no-match.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { SearchBar } from "#components/ui/search-bar.tsx";
import { CreateUser } from "#components/user/create-user.tsx";
import { UserTable } from "#components/user/user-table.tsx";
import { contextOf, may, requireResellerUser } from "#lib/dashboard/session.ts";
import { listUsers } from "#lib/services/user/list.ts";
import { getOwnFactors } from "#lib/services/user/own-factors.ts";

/** An account's people are few. */
const MAX_LISTED = 200;
/** A shorter list is seen at a glance. */
const SEARCHED_FROM = 10;

export default async function TeamPage({ searchParams }: PageProps) {
  await requireSelf();
  const { q } = await loadSearch(searchParams);
  const user = await requireResellerUser("team:read");
  const ctx = contextOf(user, { live: true });
  const [{ rows: users }, { isRequired }] = await Promise.all([
    listUsers(ctx, { text: q, limit: MAX_LISTED }),
    getOwnFactors(ctx),
  ]);
  const manages = user.liveResellerId === null && may(user, "team:write");
  const actions = { ...userActionsFor(null), resetPassword: null, removeFactors: null };
  return (
    <>
      <PageHeader
        actions={manages && <CreateUser create={actions.create} kind="reseller" label="Invite user" />}
        heading="Settings"
        title="Team"
      />
      <SettingsTabs />
      {(q !== null || users.length > SEARCHED_FROM) && <SearchBar label="Search users" placeholder="Name or email" />}
      <Card
        description="Owners change roles and disable users. To reset a password or replace a lost second factor, ask a License Desk administrator."
        flush
        title="Who has access"
      >
        {users.length === 0 ? (
          <NoMatch
            clearHref="/settings/team"
            none="No user has this in their name or email address."
            title="No user matches"
            view={{ q }}
          />
        ) : (
          <UserTable actions={manages ? actions : null} now={ctx.now()} readerId={user.userId} users={users} />
        )}
      </Card>
      <Card
        actions={
          manages && (
            <ConfirmButton
              action={setTeamRule}
              button={{ size: "sm" }}
              confirmLabel={isRequired ? "Make optional" : "Require for everyone"}
              description={
                isRequired
                  ? "Users can remove their second factor again."
                  : "Anyone on the team without it can do nothing else until they set it up, from their next click on."
              }
              done={isRequired ? "Two-step sign-in is optional" : "Two-step sign-in is required"}
              input={{ required: !isRequired }}
              label={isRequired ? "Make optional" : "Require for everyone"}
              title={isRequired ? "Make two-step sign-in optional?" : "Require two-step sign-in?"}
            />
          )
        }
        className="mt-5"
        description={
          isRequired
            ? "Required. Until they set up a second factor, users can do nothing else."
            : "Optional: everyone decides for themselves, under Account."
        }
        title="Two-step sign-in"
      />
    </>
  );
}
