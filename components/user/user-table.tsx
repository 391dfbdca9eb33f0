import { Badge } from "#components/ui/badge.tsx";
import { Cell, Row, RowControl, Table } from "#components/ui/table.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { adminRoles, resellerRoles } from "#lib/domain/roles.ts";
import type { ListedUser } from "#lib/services/user/list.ts";
import { isInvited, type UserActions } from "./user.ts";
import { UserRowMenu } from "./user-menu.tsx";

export interface UserTableProps {
  readonly users: readonly ListedUser[];
  readonly readerId: number;
  readonly now: Date;
  /** Null: the reader may look alone. */
  readonly actions: Omit<UserActions, "create"> | null;
  /** Whether users of several organizations are listed. */
  readonly organizations?: boolean;
  /** Whether the actions are for admins, too. */
  readonly managesAdmins?: boolean;
}

const badges = {
  active: <Badge tone="positive">Active</Badge>,
  invited: <Badge tone="accent">Invited</Badge>,
  expired: <Badge tone="caution">Invitation expired</Badge>,
  disabled: <Badge>Disabled</Badge>,
} as const;

export function UserTable({
  users,
  readerId,
  now,
  actions,
  organizations = false,
  managesAdmins = false,
}: UserTableProps) {
  const showsFactors = users.some(({ factors }) => factors !== null);
  return (
    <Table
      columns={[
        "Name",
        "Email",
        organizations && "Belongs to",
        "Role",
        showsFactors && "Two-step sign-in",
        "Status",
        "Last signed in",
        actions !== null && { name: "Actions", hidden: true },
      ]}
      label="Users"
    >
      {users.map((user) => (
        <Row key={user.id}>
          <Cell phone="title">
            <span className="wrap-anywhere">
              <span className="font-medium">{user.name}</span>
              {user.id === readerId && <span className="text-text-muted"> (you)</span>}
            </span>
          </Cell>
          <Cell label="Email" muted>
            <span className="wrap-anywhere">{user.email}</span>
          </Cell>
          {organizations && (
            <Cell label="Belongs to">
              {user.resellerId === null ? (
                "Administration"
              ) : (
                <TextLink className="wrap-anywhere" href={`/resellers/${user.resellerId}/team`}>
                  {user.resellerName}
                </TextLink>
              )}
            </Cell>
          )}
          <Cell label="Role">{roleName(user)}</Cell>
          {showsFactors && (
            <Cell
              label="Two-step sign-in"
              muted={!user.lacksFactor}
              phone={user.lacksFactor || user.factors?.length ? "line" : "hidden"}
            >
              <Factors user={user} />
            </Cell>
          )}
          <Cell label="Status">{badges[stateOf(user, now)]}</Cell>
          <Cell label="Last signed in" muted phone={user.lastSignedInAt === null ? "hidden" : "line"}>
            {user.lastSignedInAt === null ? "Never" : <Timestamp format="relative" value={user.lastSignedInAt} />}
          </Cell>
          {actions !== null && (
            <Cell align="end" phone="corner">
              {user.id === readerId || (user.resellerId === null && !managesAdmins) ? (
                <span className="size-7 max-md:hidden" />
              ) : (
                <RowControl>
                  <UserRowMenu actions={actions} user={user} />
                </RowControl>
              )}
            </Cell>
          )}
        </Row>
      ))}
    </Table>
  );
}

const factorNames = { passkey: "Passkey", app: "App" } as const;

function Factors({ user: { factors, lacksFactor } }: { readonly user: ListedUser }) {
  if (lacksFactor) return <Badge tone="caution">Missing</Badge>;
  if (factors === null || factors.length === 0) return "None";
  return factors.map((factor) => factorNames[factor]).join(", ");
}

function roleName({ role, resellerId }: ListedUser): string {
  const roles: Readonly<Record<string, { readonly name: string }>> = resellerId === null ? adminRoles : resellerRoles;
  return roles[role]?.name ?? role;
}

function stateOf(user: ListedUser, now: Date): keyof typeof badges {
  const { disabledAt, oneTimePasswordUntil } = user;
  if (disabledAt !== null) return "disabled";
  if (oneTimePasswordUntil === null) return "active";
  return isInvited(user) && oneTimePasswordUntil <= now ? "expired" : "invited";
}
