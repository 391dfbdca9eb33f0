import { Banner } from "#components/ui/banner.tsx";
import { Money } from "#components/ui/money.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { formatBundleInstanceId, formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";
import type { OperationRow } from "#lib/services/operation/get.ts";
import { operationNames } from "./event-text.ts";

/** A change that the provider has not confirmed. */
export type OpenChange = Readonly<ReturnType<typeof describeOpenChange>>;

export function describeOpenChange(operation: OperationRow) {
  const { kind, created_at: startedAt, hold_amount: held, currency } = operation;
  const { license_id: licenseId, bundle_instance_id: bundleInstanceId } = operation;
  return { kind, startedAt, held, currency, licenseId, bundleInstanceId };
}

export interface OpenChangeNoticeProps {
  readonly change: OpenChange;
  /** Whose page it is on. */
  readonly noun: "license" | "bundle";
}

/** Which change is open, since when and at what price; on the page of another subject, with a link to its own. */
export function OpenChangeNotice({ change, noun }: OpenChangeNoticeProps) {
  const { kind, startedAt, held, currency, licenseId, bundleInstanceId } = change;
  return (
    <Banner title={`${operationNames[kind]} not confirmed yet`} tone="info">
      Started <Timestamp value={startedAt} />
      {noun === "license" && licenseId === null && bundleInstanceId !== null && (
        <>
          {" "}
          for <TextLink href={`/bundles/${bundleInstanceId}`}>{formatBundleInstanceId(bundleInstanceId)}</TextLink>
        </>
      )}
      {noun === "bundle" && licenseId !== null && (
        <>
          {" "}
          for <TextLink href={`/licenses/${licenseId}`}>{formatLicenseId(licenseId as LicenseId)}</TextLink>
        </>
      )}
      {held > 0n && (
        <>
          , <Money currency={currency} minor={held} /> held
        </>
      )}
      . The provider is asked until its answer is clear. Until then no other change of this {noun} is sent to the
      provider.
    </Banner>
  );
}
