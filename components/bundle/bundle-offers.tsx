import { Check } from "lucide-react";
import { termText } from "#components/license/registration.ts";
import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Money } from "#components/ui/money.tsx";
import type { BundleChoice } from "./bundle-details.ts";

/** What is on sale, with its members and the price of its shortest cycle. */
export function BundleOffers({ bundles }: { readonly bundles: readonly BundleChoice[] }) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {bundles.map(({ bundleId, name, description, currency, products, cycles: [shortest] }) => (
        <li className="flex flex-col gap-3 rounded-lg border bg-surface p-4 shadow-raised" key={bundleId}>
          <div>
            <h3 className="font-semibold">{name}</h3>
            {description !== "" && <p className="text-pretty text-sm text-text-muted">{description}</p>}
          </div>
          <ul className="flex flex-1 flex-col gap-1 text-sm">
            {products.map((member) => (
              <li className="flex items-start gap-2" key={member.productId}>
                <Check className="mt-0.5 size-4 shrink-0 text-positive" />
                {member.name}
              </li>
            ))}
          </ul>
          {shortest && (
            <div className="flex items-center justify-between gap-3 border-t pt-3">
              <p className="text-sm text-text-muted">
                <Money className="font-semibold text-base text-text" currency={currency} minor={shortest.price} /> per{" "}
                {termText(shortest.months)}
              </p>
              <Allowed to="wallet:spend">
                <ButtonLink aria-label={`Register ${name}`} href={`/bundles/new?bundle=${bundleId}`}>
                  Register
                </ButtonLink>
              </Allowed>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
