import { Card } from "#components/ui/card.tsx";
import { ObjectId } from "#components/ui/object-id.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { formatBundleInstanceId, formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";
import type { RenewalAtPrice } from "#lib/services/catalog/price-reach.ts";

interface NextRenewalsProps {
  readonly renewals: readonly RenewalAtPrice[];
  readonly cycles: readonly { readonly id: number; readonly name: string }[];
}

/** Whom a changed price meets first. */
export function NextRenewals({ renewals, cycles }: NextRenewalsProps) {
  return (
    <Card description="Automatic renewals at these list prices." flush title="Next renewals">
      {renewals.length === 0 ? (
        <p className="border-t px-4 py-3 text-sm text-text-muted">Nothing renews automatically at these prices.</p>
      ) : (
        <ul className="divide-y border-t">
          {renewals.map(({ kind, id, cycleId, resellerId, resellerName, renewsAt }) => (
            <li
              className="flex items-baseline justify-between gap-3 px-4 py-2 text-sm"
              key={`${kind} ${id} ${cycleId}`}
            >
              <span className="min-w-0">
                <span className="block">
                  <ObjectId>
                    {kind === "license" ? formatLicenseId(id as LicenseId) : formatBundleInstanceId(id)}
                  </ObjectId>
                  <span className="text-text-muted"> · {cycles.find((cycle) => cycle.id === cycleId)?.name}</span>
                </span>
                <TextLink className="wrap-anywhere" href={`/resellers/${resellerId}`}>
                  {resellerName}
                </TextLink>
              </span>
              <span className="text-text-muted">
                <Timestamp format="date" value={renewsAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
