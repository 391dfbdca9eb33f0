import { cx } from "#components/ui/cx.ts";
import { Link } from "#components/ui/link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { numberText } from "#lib/domain/count-text.ts";

type CountedStatus = "pending" | "active" | "suspended" | "expired";

interface LicenseStatesProps {
  readonly counts: Readonly<Record<CountedStatus | "within7Days" | "within30Days", number>>;
  /** Of counts that are not as of now. */
  readonly countedAt: Date | null;
  /** The list that they lead to. */
  readonly href?: string;
}

/** How many licenses there are in each state, and how many end soon; each figure leads to the list of them. */
export function LicenseStates({ counts, countedAt, href: list = "/licenses" }: LicenseStatesProps) {
  const inStatus = (label: string, status: CountedStatus) => ({
    label,
    count: counts[status],
    href: `${list}?status=${status}`,
  });
  const figures = [
    inStatus("Active", "active"),
    { label: "End in 7 days", count: counts.within7Days, href: `${list}?expires=7` },
    { label: "End in 30 days", count: counts.within30Days, href: `${list}?expires=30` },
    inStatus("Pending", "pending"),
    inStatus("Suspended", "suspended"),
    inStatus("Expired", "expired"),
  ];
  return (
    <section aria-label="Licenses">
      <ul className="grid grid-cols-2 gap-px overflow-clip rounded-lg border bg-border shadow-raised sm:grid-cols-3 lg:grid-cols-6">
        {figures.map(({ label, count, href }) => (
          <li key={label}>
            <Link
              className="flex h-full flex-col bg-surface px-4 py-3.5 -outline-offset-2 hover:bg-surface-hover"
              href={href}
            >
              <span className="text-sm text-text-muted">{label}</span>
              <span className={cx("tabular font-semibold text-2xl tracking-tight", count === 0 && "text-text-muted")}>
                {numberText(count)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {countedAt !== null && (
        <p className="mt-1.5 text-text-muted text-xs">
          Counted at <Timestamp value={countedAt} />. Accounts of this size are counted again every half minute.
        </p>
      )}
    </section>
  );
}
