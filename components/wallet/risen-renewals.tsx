import { renewableHref } from "#components/renewal/auto-renew.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Money } from "#components/ui/money.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import type { WalletRunway } from "#lib/domain/runway.ts";

const MAX_SHOWN = 5;

const obstacles = {
  above_limit: "Blocked: above your limit",
  short_notice: "Blocked: announced too late",
} as const;

/** Automatic renewals whose price has risen: from what to what, and which of them your limits block. */
export function RisenRenewals({ runway }: { readonly runway: WalletRunway }) {
  const { risen, risenCount, blockedCount, currency } = runway;
  const shown = risen.slice(0, MAX_SHOWN);
  return (
    <div className="rounded-md bg-surface-sunken px-3 py-2.5 text-sm" id="risen-prices">
      <h3 className="font-medium">
        {risenCount === 1 ? "One renewal costs more" : `${numberText(risenCount)} renewals cost more`}
      </h3>
      <p className="text-text-muted">
        {blockedCount === 0
          ? `${risenCount === 1 ? "It renews" : "They renew"} at the new price when your notice period is over.`
          : `Open ${risenCount === 1 ? "it to renew" : "a blocked one to renew it"} at the new price, or change your limits under Settings.`}
      </p>
      <ul className="mt-1 flex flex-col">
        {shown.map(({ kind, id, label, dueAt, price, agreedPrice, obstacle }) => (
          <li
            className="flex flex-col gap-x-4 py-1 sm:flex-row sm:flex-wrap sm:items-baseline sm:justify-between"
            key={`${kind} ${id}`}
          >
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
              <TextLink className="wrap-anywhere" href={renewableHref({ kind, id })}>
                {label}
              </TextLink>
              {obstacle !== null && <Badge tone="caution">{obstacles[obstacle]}</Badge>}
            </span>
            <span className="tabular shrink-0 text-text-muted">
              <Timestamp format="date" value={dueAt} />,{" "}
              {agreedPrice !== null && (
                <>
                  <Money currency={currency} minor={agreedPrice} />
                  {"\u00a0→ "}
                </>
              )}
              <Money className="font-medium text-text" currency={currency} minor={price ?? 0n} />
            </span>
          </li>
        ))}
      </ul>
      {risenCount > shown.length && (
        <p className="mt-1 text-text-muted">and {numberText(risenCount - shown.length)} more</p>
      )}
    </div>
  );
}
