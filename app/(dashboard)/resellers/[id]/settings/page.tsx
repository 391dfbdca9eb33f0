import { requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import type { PageProps } from "#app/page-props.ts";
import { SettingsForm } from "#components/form/form.tsx";
import { Suspension } from "#components/reseller/suspension.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
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
  const renewals = {
    expiring_soon: reseller.expiringSoonDays.join(", "),
    renew_ahead: String(reseller.renewAheadDays),
  };
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
          <SettingsForm
            action={saveProfile.bind(null, { resellerId, seenVersion: profileVersion })}
            done="Saved"
            stored={{ name, email, notes }}
            to="resellers:write"
          >
            <TextField defaultValue={name} label="Name" name="name" />
            <TextField
              defaultValue={email}
              hint="For messages to the company. Sign-in emails stay the same."
              label="Email"
              name="email"
              type="email"
            />
            <TextareaField
              defaultValue={notes}
              hint="Only administrators see this."
              label="Notes"
              name="notes"
              optional
              rows={3}
            />
          </SettingsForm>
        </Card>
        <div className="flex flex-col gap-5">
          <Card title="Renewals">
            <SettingsForm
              action={saveRenewals.bind(null, { resellerId, seenVersion: renewalsVersion })}
              done="Renewal settings saved"
              stored={renewals}
              to="resellers:write"
            >
              <TextField
                className="tabular"
                defaultValue={renewals.expiring_soon}
                hint="Days before a license expires that the reseller is notified, such as 14, 3. Leave it empty for no notice."
                inputMode="numeric"
                label="Days of notice"
                name="expiring_soon"
                optional
              />
              <TextField
                className="tabular w-24!"
                defaultValue={renewals.renew_ahead}
                hint="Automatic renewals are charged this many days before the term ends."
                inputMode="numeric"
                label="Auto-renew lead time (days)"
                name="renew_ahead"
              />
            </SettingsForm>
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
