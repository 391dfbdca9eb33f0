import { Boxes } from "lucide-react";
import type { ReactNode } from "react";
import { InlineEdits } from "#components/form/inline-edit.tsx";
import { ResellersLink } from "#components/reseller/act-as.tsx";
import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { type DescriptionItems, DescriptionList } from "#components/ui/description-list.tsx";
import { Money } from "#components/ui/money.tsx";
import { ObjectId } from "#components/ui/object-id.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { formatBundleInstanceId } from "#lib/domain/ids.ts";
import type { LicenseDetails } from "./license-details.ts";
import { termText } from "./registration.ts";

export interface LicenseFactsProps {
  readonly license: LicenseDetails;
  /** Beside the address, and beside the cores: what changes them. */
  readonly changeAddress: ReactNode;
  readonly changeCores: ReactNode;
  readonly customer: ReactNode;
  readonly tags: ReactNode;
  readonly notes: ReactNode;
}

/** All that is known of one license, the most wanted first, each with what changes it. */
export function LicenseFacts(props: LicenseFactsProps) {
  return (
    <Card title="License">
      <InlineEdits>
        <DescriptionList items={factsOf(props)} />
      </InlineEdits>
    </Card>
  );
}

function factsOf({ license, changeAddress, changeCores, customer, tags, notes }: LicenseFactsProps): DescriptionItems {
  const { renewalPrice } = license;
  return [
    {
      term: "Key",
      value: (
        <>
          <code className="font-mono text-sm">{license.key}</code>
          <CopyButton label="Copy license key" value={license.key} />
        </>
      ),
      wide: true,
    },
    { term: "ID", value: <code className="font-mono">{license.id}</code> },
    {
      term: "Address",
      value: (
        <>
          <code className="font-mono">{license.ipAddress}</code>
          <CopyButton label="Copy address" value={license.ipAddress} />
          <span className="ml-auto">{changeAddress}</span>
        </>
      ),
      wide: true,
    },
    { term: "Host name", value: license.hostname === "" ? <Unknown>Not reported yet</Unknown> : license.hostname },
    {
      term: license.status === "expired" ? "Expired" : "Expires",
      value: (
        <span>
          <Timestamp value={license.expiresAt} />{" "}
          <span className="text-text-muted">
            (<Timestamp format="relative" value={license.expiresAt} />)
          </span>
        </span>
      ),
    },
    renewalPrice !== null && {
      term: "Renews for",
      value: (
        <span>
          <Money currency={renewalPrice.currency} minor={renewalPrice.minor} />{" "}
          <span className="text-text-muted">per {termText(license.cycleMonths)}</span>
        </span>
      ),
    },
    license.bundleInstanceId !== null && {
      term: "Bundle",
      value: (
        <span className="flex items-center gap-1.5">
          <Boxes className="size-4 text-text-muted" />
          Member of{" "}
          <ResellersLink href={`/bundles/${license.bundleInstanceId}`}>
            <ObjectId linked>{formatBundleInstanceId(license.bundleInstanceId)}</ObjectId>
          </ResellersLink>
          {"; renews with it"}
        </span>
      ),
    },
    license.cores !== null && {
      term: "Cores",
      value: (
        <>
          {license.cores}
          <span className="ml-auto">{changeCores}</span>
        </>
      ),
    },
    license.workers !== 0 && { term: "Workers", value: license.workers },
    { term: "Registered", value: <Timestamp value={license.issuedAt} /> },
    { term: "Customer", value: customer, wide: true },
    { term: "Tags", value: tags, wide: true },
    { term: "Notes", value: notes, wide: true },
  ];
}

function Unknown({ children }: { readonly children: string }) {
  return <span className="text-text-muted">{children}</span>;
}
