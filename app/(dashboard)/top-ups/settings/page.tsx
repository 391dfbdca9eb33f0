import { setSettings } from "#app/(dashboard)/top-ups/actions.ts";
import { PaymentSettingsForm } from "#components/reseller/payment-settings-form.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { toMajorText } from "#lib/domain/money.ts";
import { listCurrencyPaymentSettings } from "#lib/services/wallet/payment-settings.ts";

export default async function PaymentSettingsPage() {
  const settings = await listCurrencyPaymentSettings(contextOf(await requireAdminUser("admin:read")));
  return (
    <>
      <PageHeader
        description="One set for each currency that your resellers use."
        title="Payment settings"
        trail={[{ label: "Top-ups", href: "/top-ups" }]}
      />
      <Card flush>
        <div className="divide-y">
          {settings.map(({ currency, confirmAbove, version, ...texts }) => (
            <PaymentSettingsForm
              action={setSettings.bind(null, { currency, seenVersion: version })}
              currency={currency}
              key={currency}
              open={settings.length === 1}
              values={{ confirm_above: toMajorText(confirmAbove, currency), ...texts }}
            />
          ))}
        </div>
      </Card>
    </>
  );
}
