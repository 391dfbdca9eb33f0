import { Banner } from "#components/ui/banner.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { AutoRenewal } from "./auto-renew.ts";

/** Why what should have renewed automatically has not. */
export function RenewalFailure({ renewal: { failure, expired } }: { readonly renewal: AutoRenewal }) {
  if (failure === null) return null;
  return (
    <Banner title="The automatic renewal failed" tone="critical">
      {failure.reason}, on <Timestamp value={failure.at} />.{" "}
      {!expired && "It is retried until the term ends. You can also renew manually."}
    </Banner>
  );
}
