import { Key } from "#components/chart/key.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { atEnd } from "#components/ui/column.ts";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { formatDay } from "#components/ui/format-time.ts";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import { type VerificationDay, verificationNames } from "./verification.ts";
import { VerificationTable, type VerificationTableProps } from "./verification-table.tsx";

interface VerificationCardProps extends VerificationTableProps {
  readonly days: readonly VerificationDay[];
  /** Where all of them are. */
  readonly href: string;
}

/** On the license's page: how the last days went, and the newest that were not valid. */
export function VerificationCard({ days, href, ...table }: VerificationCardProps) {
  const total = days.reduce((sum, { valid, failed }) => sum + valid + failed, 0);
  const failed = days.reduce((sum, day) => sum + day.failed, 0);
  const summary =
    total === 0
      ? "None in the last 30 days."
      : `${numberText(total)} in the last 30 days, ${failed === 0 ? "all valid" : `${numberText(failed)} not valid`}.`;
  return (
    <Card
      actions={
        <ButtonLink href={href} size="sm">
          All verifications
        </ButtonLink>
      }
      description={summary}
      flush
      title="Verifications"
    >
      {total > 0 && (
        <div className="px-4 pb-4">
          <VerificationChart days={days} />
        </div>
      )}
      {table.entries.length > 0 && (
        <div className="border-t">
          <h3 className="px-4 pt-3 pb-2 font-medium text-sm">Recent failures</h3>
          <div className="border-t">
            <VerificationTable {...table} scrolls />
          </div>
        </div>
      )}
    </Card>
  );
}

/** Bars, and the same numbers as a table for screen readers. */
function VerificationChart({ days }: { readonly days: readonly VerificationDay[] }) {
  const top = Math.max(1, ...days.map(({ valid, failed }) => valid + failed));
  const first = days[0];
  const last = days.at(-1);
  return (
    <figure>
      <figcaption className="flex flex-wrap items-center justify-between gap-x-3 text-text-muted text-xs">
        <span className="flex flex-wrap items-center gap-x-3">
          Verifications a day, in UTC
          <Key className="size-2 rounded-xs bg-accent">valid</Key>
          <Key className="size-2 rounded-xs bg-critical-fill">not valid</Key>
        </span>
        <span className="tabular">{numberText(top)}</span>
      </figcaption>
      <div aria-hidden className="relative mt-1 flex h-24 items-end border-t border-b">
        {days.map(({ day, valid, failed }) => (
          <div
            className="flex h-full flex-1 flex-col justify-end gap-px px-px hover:bg-surface-selected"
            key={day}
            title={`${formatDay(day)}: ${numberText(valid)} valid, ${numberText(failed)} not`}
          >
            {failed > 0 && (
              <span
                className="min-h-0.5 rounded-t-xs bg-critical-fill"
                style={{ height: `${(100 * failed) / top}%` }}
              />
            )}
            {valid > 0 && <span className="min-h-0.5 bg-accent" style={{ height: `${(100 * valid) / top}%` }} />}
          </div>
        ))}
      </div>
      <div aria-hidden className="tabular mt-1 flex justify-between text-text-muted text-xs">
        <span>{first && formatDay(first.day)}</span>
        <span>{last && formatDay(last.day)}</span>
      </div>
      <Disclosure className="mt-2" openSummary="Hide table" summary="Show as a table">
        <div className="-mx-4 -mb-4 mt-2 border-t">
          <Table columns={["Day", atEnd("Valid"), atEnd("Not valid"), "Reason"]} compact label="Verifications by day">
            {days
              .filter(({ valid, failed }) => valid + failed > 0)
              .toReversed()
              .map((day) => (
                <DayRow day={day} key={day.day} />
              ))}
          </Table>
        </div>
      </Disclosure>
    </figure>
  );
}

function DayRow({ day: { day, valid, failed, counts } }: { readonly day: VerificationDay }) {
  const reasons = counts
    .filter(({ code }) => code !== "VALID")
    .map(({ code, count }, _, { length }) =>
      length === 1 ? verificationNames[code] : `${verificationNames[code]}: ${numberText(count)}`,
    );
  return (
    <Row>
      <Cell>
        <span className="whitespace-nowrap">{formatDay(day)}</span>
      </Cell>
      <Cell align="end">{numberText(valid)}</Cell>
      <Cell align="end">{numberText(failed)}</Cell>
      <Cell muted>{reasons.length === 0 ? "–" : reasons.join(", ")}</Cell>
    </Row>
  );
}
