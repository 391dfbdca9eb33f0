"use client";
import type { ReactNode } from "react";
import { useViewedReseller } from "#components/shell/viewed-reseller.tsx";
import { Banner } from "#components/ui/banner.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { staysExpired } from "./license-changes.ts";
import type { LicenseDetails } from "./license-details.ts";
import { OpenChangeNotice } from "./open-change.tsx";

export interface LicenseNoticeProps {
  readonly license: LicenseDetails;
  /** Lifts its suspension. */
  readonly lift: ReactNode;
}

/** What the status means and what can be done about it; nothing while all is well. */
export function LicenseNotice(props: LicenseNoticeProps) {
  const { license } = props;
  return (
    <>
      <StateNotice {...props} />
      {license.openChange && license.status !== "pending" && (
        <OpenChangeNotice change={license.openChange} noun="license" />
      )}
    </>
  );
}

function StateNotice({ license, lift }: LicenseNoticeProps) {
  const isOwn = useViewedReseller() === null;
  switch (license.status) {
    case "pending":
      return (
        <Banner title="The provider has not confirmed this license yet" tone="info">
          Ordered <Timestamp value={license.issuedAt} />. We ask again until the answer is clear. Until then the license
          does not verify, its price stays held, and it cannot be renewed, moved or suspended.
        </Banner>
      );
    case "suspended":
      return (
        <Banner
          action={isOwn && lift}
          title={
            license.suspendedBy === "admin"
              ? "Suspended by an administrator"
              : isOwn
                ? "Suspended by you"
                : "Suspended by the reseller"
          }
          tone="caution"
        >
          {license.suspendedAt && (
            <>
              Since <Timestamp value={license.suspendedAt} />
              {license.suspensionReason !== "" && <>: “{license.suspensionReason}”</>}.{" "}
            </>
          )}
          It does not verify. {license.suspendedBy === "admin" ? "Only an administrator can lift this." : ""}
          {license.ended && ` ${staysExpired}`}
        </Banner>
      );
    case "expired":
      return (
        <Banner title="Expired" tone="critical">
          It has not verified since <Timestamp value={license.expiresAt} />. Renewing it starts a new term today.
        </Banner>
      );
    case "terminated":
      return (
        <Banner title="Terminated" tone="critical">
          {license.terminatedAt && (
            <>
              Ended for good on <Timestamp format="date" value={license.terminatedAt} />.{" "}
            </>
          )}
          It cannot be renewed: register a new license instead.
        </Banner>
      );
    case "active":
      return null;
    default:
      return license.status satisfies never;
  }
}
