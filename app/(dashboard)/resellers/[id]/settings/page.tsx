import { requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import type { PageProps } from "#app/page-props.ts";
import { ResellerProfileForm } from "#components/reseller/profile-form.tsx";
import { RenewalForm } from "#components/reseller/renewal-form.tsx";
import { Suspension } from "#components/reseller/suspension.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { getResellerSettings } from "#lib/services/reseller/settings.ts";
import { saveProfile, saveRenewals, suspend } from "./actions.ts";

export default async function ResellerSettingsPage({ params }: PageProps<"id">) {
  const { ctx, reseller: looked, path: href } = await requireReseller((await params).id);
  const { resellerId } = looked;
  const reseller = await getResellerSettings(ctx, { resellerId });
  const { name, email, notes, currency, suspendedAt, suspensionReason } = reseller;
  const { profileVersion, renewalsVersion } = reseller;
  return (
    <>
      <PageHeader
        badge={suspendedAt && <Badge tone="caution">Suspended</Badge>}
        description={
          <>
            Customer since <Timestamp format="date" value={reseller.createdAt.toISOString()} />, billed in {currency}.{" "}
            <TextLink href={`/audit?reseller=${resellerId}`}>View changes</TextLink>
          </>
        }
        heading="Settings"
        title={`Settings · ${name}`}
        trail={[
          { label: "Resellers", href: "/resellers" },
          { label: name, href },
        ]}
      />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title="Reseller">
          <ResellerProfileForm
            action={saveProfile.bind(null, { resellerId, seenVersion: profileVersion })}
            values={{ name, email, notes }}
          />
        </Card>
        <div className="flex flex-col gap-5">
          <Card title="Renewals">
            <RenewalForm
              action={saveRenewals.bind(null, { resellerId, seenVersion: renewalsVersion })}
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
              <Suspension action={suspend.bind(null, { resellerId })} name={name} suspended={suspendedAt !== null} />
            </Allowed>
          </Card>
        </div>
      </div>
    </>
  );
}
