import { termText } from "#components/license/registration.ts";
import { Allowed } from "#components/shell/permissions.tsx";
import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { DescriptionList } from "#components/ui/description-list.tsx";
import { Money } from "#components/ui/money.tsx";
import { CardLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { formatBundleInstanceId } from "#lib/domain/ids.ts";
import type { BundleDetails } from "./bundle-details.ts";

export function BundleFacts({ bundle }: { readonly bundle: BundleDetails }) {
  const { renewal } = bundle;
  return (
    <Card
      actions={
        <Allowed to="wallet:read">
          <CardLink href={`/wallet?about=bundle+${bundle.id}`}>View charges</CardLink>
        </Allowed>
      }
      title="Bundle"
    >
      <DescriptionList
        items={[
          { term: "ID", value: <code className="font-mono">{formatBundleInstanceId(bundle.id)}</code> },
          {
            term: "Address",
            value: (
              <>
                <code className="font-mono">{bundle.ipAddress}</code>
                <CopyButton label="Copy address" value={bundle.ipAddress} />
              </>
            ),
          },
          {
            term: bundle.status === "expired" ? "Expired" : "Expires",
            value: (
              <span>
                <Timestamp value={bundle.expiresAt} />{" "}
                <span className="text-text-muted">
                  (<Timestamp format="relative" value={bundle.expiresAt} />)
                </span>
              </span>
            ),
          },
          renewal !== null && {
            term: "Renews for",
            value: (
              <span>
                <Money currency={renewal.currency} minor={renewal.price} />{" "}
                <span className="text-text-muted">per {termText(bundle.cycleMonths)}, all licenses included</span>
              </span>
            ),
          },
          { term: "Registered", value: <Timestamp value={bundle.issuedAt} /> },
        ]}
      />
    </Card>
  );
}
