import { CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { renewableHref } from "#components/renewal/auto-renew.ts";
import { Card } from "#components/ui/card.tsx";
import { cx } from "#components/ui/cx.ts";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { CardLink, TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { countText, numberText } from "#lib/domain/count-text.ts";
import type { WalletRunway } from "#lib/domain/runway.ts";
import { ProjectedBalance } from "./projected-balance.tsx";
import { RenewalCalendar } from "./renewal-calendar.tsx";
import { RisenRenewals } from "./risen-renewals.tsx";

export interface RunwayCardProps {
  readonly runway: WalletRunway;
  /** Counts what does not renew automatically, too. */
  readonly all: boolean;
  /** Where the other count is. */
  readonly otherHref: string;
  /** The button that asks for so much, in minor units. */
  readonly renderTopUp: (amount: bigint) => ReactNode;
}

const MAX_LAPSES_SHOWN = 5;

/** How long the balance lasts, what ends first when it does not, and what it takes. */
export function RunwayCard({ runway, all, otherHref, renderTopUp }: RunwayCardProps) {
  const { renewalCount, lapses, currency, topUpNeeded } = runway;
  const topUps = [
    { days: 30, amount: topUpNeeded.days30 },
    { days: 60, amount: topUpNeeded.days60 },
    { days: 90, amount: topUpNeeded.days90 },
  ];
  return (
    <Card
      actions={
        <CardLink href={otherHref} scroll={false}>
          {all ? "Only automatic renewals" : "Include manual renewals"}
        </CardLink>
      }
      flush
      title="Runway"
    >
      <div className="flex flex-col gap-4 px-4 pb-4">
        <Verdict all={all} runway={runway} />
        {runway.computedAt !== null && (
          <p className="text-text-muted text-xs">
            As of <Timestamp value={runway.computedAt} />. With this many licenses it is recomputed every minute.
          </p>
        )}
        {lapses.length > 0 && <Lapses runway={runway} />}
        {runway.risen.length > 0 && <RisenRenewals runway={runway} />}
        {renewalCount > 0 && (
          <dl className="grid gap-px overflow-clip rounded-md border bg-border sm:grid-cols-3">
            {topUps.map(({ days, amount }) => (
              <div
                className="flex min-h-11 items-center justify-between gap-2 bg-surface px-3 py-2 text-sm sm:flex-col sm:items-start"
                key={days}
              >
                <dt className="text-text-muted">For {days} days</dt>
                <dd>
                  {amount === 0n ? (
                    <span className="flex h-7 items-center gap-1.5 font-medium text-positive">
                      <CircleCheck className="size-4" />
                      Covered
                    </span>
                  ) : (
                    renderTopUp(amount)
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {renewalCount > 0 && (
        <div className="border-t px-4 py-4">
          <ProjectedBalance currency={currency} projected={runway.projected} />
        </div>
      )}
      {renewalCount > 0 && <RenewalCalendar runway={runway} />}
    </Card>
  );
}

function Verdict({ runway, all }: Pick<RunwayCardProps, "runway" | "all">) {
  const { renewalCount, renewalSum, coversUntil, blockedCount, horizonDays, currency } = runway;
  const unpaid = runway.lapseCount - runway.unsoldCount;
  const expiring = runway.unsoldCount + blockedCount;
  if (renewalCount === 0 && expiring > 0) {
    return (
      <Sentence
        icon={<TriangleAlert className="text-caution" />}
        title={`Nothing renews in the next ${horizonDays} days`}
      >
        {expiring === 1
          ? "The one below expires unless you act."
          : `The ${numberText(expiring)} below expire unless you act.`}
      </Sentence>
    );
  }
  if (renewalCount === 0) {
    return (
      <Sentence title={`${all ? "Nothing expires" : "No automatic renewals"} in the next ${horizonDays} days`}>
        {all
          ? "No license or bundle expires within that time."
          : "Turn on auto-renew for a license or bundle to see its cost here."}
      </Sentence>
    );
  }
  const sum = moneyText(renewalSum, currency);
  if (coversUntil === null) {
    return (
      <Sentence icon={<CircleCheck className="text-positive" />} title={`Covers the next ${horizonDays} days`}>
        {renewalCount === 1 ? `One renewal for ${sum}` : `${countText(renewalCount, "renewal")} for ${sum} altogether`},
        at today's prices.
        {blockedCount > 0 &&
          ` Not counted: ${blockedCount === 1 ? "one that your limits block, which expires." : `${numberText(blockedCount)} that your limits block, which expire.`}`}
      </Sentence>
    );
  }
  return (
    <Sentence
      icon={<TriangleAlert className="text-caution" />}
      title={
        <>
          Covers you until <Timestamp format="date" value={coversUntil} /> (
          <Timestamp format="relative" value={coversUntil} />)
        </>
      }
    >
      {renewalCount === 1 ? "One renewal" : countText(renewalCount, "renewal")} in the next {horizonDays} days{" "}
      {renewalCount === 1 ? "costs" : "cost"} {sum}, more than the balance.{" "}
      {unpaid === 1 ? "One lapses" : `${numberText(unpaid)} lapse`} unless you top up.
    </Sentence>
  );
}

interface SentenceProps {
  readonly title: ReactNode;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

function Sentence({ title, icon, children }: SentenceProps) {
  return (
    <div className="flex items-start gap-2.5 [&>svg]:mt-0.5 [&>svg]:size-5 [&>svg]:shrink-0">
      {icon}
      <div>
        <p className="text-balance font-semibold text-lg">{title}</p>
        <p className="max-w-prose text-pretty text-sm text-text-muted">{children}</p>
      </div>
    </div>
  );
}

function Lapses({ runway }: Pick<RunwayCardProps, "runway">) {
  const { lapses, lapseCount, unsoldCount, currency } = runway;
  const shown = lapses.slice(0, MAX_LAPSES_SHOWN);
  return (
    <div className="rounded-md bg-caution-soft px-3 py-2.5 text-sm">
      <h3 className="font-medium">
        {lapseCount === 1 ? "This one lapses" : lapseCount > shown.length ? "These lapse first" : "These lapse"}
      </h3>
      <ul className="mt-1 flex flex-col">
        {shown.map(({ kind, id, label, dueAt, price }) => (
          <li
            className="flex flex-col gap-x-4 py-1 sm:flex-row sm:flex-wrap sm:items-baseline sm:justify-between"
            key={`${kind} ${id}`}
          >
            <TextLink className="wrap-anywhere" href={renewableHref({ kind, id })}>
              {label}
            </TextLink>
            <span className={cx("tabular text-text-muted", price === null && "text-caution")}>
              <Timestamp format="date" value={dueAt} />,{" "}
              {price === null ? "no longer sold" : <Money currency={currency} minor={price} />}
            </span>
          </li>
        ))}
      </ul>
      {lapseCount > shown.length && (
        <p className="mt-1 text-text-muted">and {numberText(lapseCount - shown.length)} more</p>
      )}
      {unsoldCount > 0 && (
        <p className="mt-1 text-text-muted">No longer sold: renew manually and choose another cycle.</p>
      )}
    </div>
  );
}
