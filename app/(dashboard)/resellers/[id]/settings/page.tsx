import type { Metadata } from "next";
import { requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import {
  create,
  disable,
  enable,
  inviteAgain,
  removeFactors,
  resetPassword,
  setRole,
} from "#app/(dashboard)/users/actions.ts";
import { ResellerProfileForm } from "#components/reseller/profile-form.tsx";
import { RenewalForm } from "#components/reseller/renewal-form.tsx";
import { Suspension } from "#components/reseller/suspension.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { CreateUser } from "#components/user/create-user.tsx";
import { UserTable } from "#components/user/user-table.tsx";
import { may, requireAdminUser } from "#lib/dashboard/session.ts";
import { getResellerSettings } from "#lib/services/reseller/settings.ts";
import { listUsers } from "#lib/services/user/list.ts";
import { saveProfile, saveRenewals, suspend } from "./actions.ts";

export const metadata: Metadata = { title: "Settings of a reseller" };

/** A reseller's people are few. */
const MAX_USERS = 200;

export default async function ResellerSettingsPage({ params }: { readonly params: Promise<{ readonly id: string }> }) {
  const [user, { id }] = await Promise.all([requireAdminUser("admin:read"), params]);
  const { ctx, reseller: looked, path: href } = await requireReseller(id);
  const { resellerId } = looked;
  const [reseller, { users }] = await Promise.all([
    getResellerSettings(ctx, { resellerId }),
    listUsers(ctx, { limit: MAX_USERS }),
  ]);
  const { name, email, notes, currency, suspendedAt, suspensionReason } = reseller;
  const seen = { resellerId, seenVersion: reseller.version };
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
      <PageHeader
        badge={suspendedAt && <Badge tone="caution">Suspended</Badge>}
        description={
          <>
            {currency}, since <Timestamp format="date" value={reseller.createdAt.toISOString()} />.{" "}
            <TextLink href={`/audit?reseller=${resellerId}`}>What was changed</TextLink>
          </>
        }
        title="Settings"
        trail={[
          { label: "Resellers", href: "/resellers" },
          { label: name, href },
        ]}
      />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title="Reseller">
          <ResellerProfileForm action={saveProfile.bind(null, seen)} values={{ name, email, notes }} />
        </Card>
        <div className="flex flex-col gap-5">
          <Card title="Renewals">
            <RenewalForm
              action={saveRenewals.bind(null, seen)}
              values={{
                expiring_soon: reseller.expiringSoonDays.join(", "),
                renew_ahead: String(reseller.renewAheadDays),
              }}
            />
          </Card>
          <Card title="Access">
            <p className="mb-3 text-sm text-text-muted">
              {suspendedAt === null ? (
                "Suspending stops all charges and blocks sign-in and API keys. Running licenses continue until their term ends; nothing renews."
              ) : (
                <>
                  Suspended since <Timestamp value={suspendedAt.toISOString()} />: {suspensionReason}
                </>
              )}
            </p>
            <Allowed to="resellers:write">
              {" "}
              <Suspension action={suspend.bind(null, { resellerId })} name={name} suspended={suspendedAt !== null} />
            </Allowed>
          </Card>
        </div>
        <div className="lg:col-span-2">
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
                  label="Add a person"
                />
              </Allowed>
            }
            flush
            title="People"
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
        </div>
      </div>
    </>
  );
}
