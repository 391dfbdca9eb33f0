import { Banner } from "#components/ui/banner.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { AutoRenewal } from "./auto-renew.ts";

/** Why what should have renewed automatically has not. */
export function RenewalFailure({ renewal }: { readonly renewal: AutoRenewal }) {
  const { failures, retrying, expired, renewable } = renewal;
  if (failures.length === 0) return null;
  return (
    <Banner title="The automatic renewal failed" tone="critical">
      <ul>
        {failures.map(({ reason, firstAt }) => (
          <li key={reason}>
            {reason}, first on <Timestamp value={firstAt} />.
          </li>
        ))}
      </ul>
      {retrying && "It is retried until the term ends. "}
      {!expired && renewable && "You can also renew manually."}
    </Banner>
  );
}
