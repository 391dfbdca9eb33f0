import { Card } from "#components/ui/card.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { RenewalView } from "./catalog.ts";

/** Whom a changed price meets first. */
export function NextRenewals({ renewals }: { readonly renewals: readonly RenewalView[] }) {
  return (
    <Card description="Automatic renewals at these list prices." flush title="Next renewals">
      {renewals.length === 0 ? (
        <p className="border-t px-4 py-3 text-sm text-text-muted">Nothing renews automatically at these prices.</p>
      ) : (
        <ul className="divide-y border-t">
          {renewals.map((renewal) => (
            <li className="flex items-baseline justify-between gap-3 px-4 py-2 text-sm" key={renewal.id}>
              <span className="min-w-0">
                <span className="block">
                  {renewal.what}
                  <span className="text-text-muted"> · {renewal.cycle}</span>
                </span>
                <TextLink className="wrap-anywhere" href={renewal.resellerHref} prefetch={false}>
                  {renewal.resellerName}
                </TextLink>
              </span>
              <span className="text-text-muted">
                <Timestamp format="date" value={renewal.endsAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
