import { OpenChangeNotice } from "#components/license/open-change.tsx";
import { Banner } from "#components/ui/banner.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { BundleDetails } from "./bundle-details.ts";

/** What the status means and what can be done about it; nothing while all is well. */
export function BundleNotice({ bundle }: { readonly bundle: BundleDetails }) {
  if (bundle.status === "pending") {
    return (
      <Banner title="The provider has not confirmed this bundle yet" tone="info">
        Ordered <Timestamp value={bundle.issuedAt} />. We ask again until the answer is clear. Until then its licenses
        do not verify and its price stays held. If it refused, the money is released and the bundle disappears.
      </Banner>
    );
  }
  if (bundle.status === "terminated") {
    return (
      <Banner title="Terminated" tone="critical">
        It cannot be renewed: register a new bundle instead.
      </Banner>
    );
  }
  if (bundle.openChange) return <OpenChangeNotice change={bundle.openChange} noun="bundle" />;
  if (bundle.status !== "expired") return null;
  return (
    <Banner title="Expired" tone="critical">
      Its licenses have not verified since <Timestamp value={bundle.expiresAt} />. Renewing it starts a new term today.
    </Banner>
  );
}
