import { Card } from "#components/ui/card.tsx";
import { atEnd } from "#components/ui/column.ts";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { formatDay } from "#components/ui/format-time.ts";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { sizeText, spanText } from "./amounts.ts";
import type { ServerDay } from "./server.ts";
import { TrendChart } from "./trend-chart.tsx";

const SECONDS_PER_HOUR = 3_600;

/** How a server has been: a picture, and the same as a table. */
export function TrendCard({ days }: { readonly days: readonly ServerDay[] }) {
  const reported = days.filter(({ reportedHours }) => reportedHours > 0);
  return (
    <Card description={`The last ${days.length} days, by day in UTC`} title="Trend">
      {reported.length === 0 ? (
        <p className="text-sm text-text-muted">Nothing was reported in the last {days.length} days.</p>
      ) : (
        <>
          <TrendChart days={days} />
          <Disclosure className="mt-3" openSummary="Hide table" summary="Show as a table">
            <div className="-mx-4 -mb-4 mt-2 border-t">
              <Table
                columns={["Day", atEnd("Free disk"), atEnd("Uptime"), atEnd("Hours reported")]}
                compact
                label="Trend by day"
              >
                {reported.toReversed().map((day) => (
                  <Row key={day.day}>
                    <Cell>
                      <span className="whitespace-nowrap">{formatDay(day.day)}</span>
                    </Cell>
                    <Cell align="end">{sizeText(day.lowestDiskFreeMb ?? 0)}</Cell>
                    <Cell align="end">{spanText((day.longestUptimeHours ?? 0) * SECONDS_PER_HOUR)}</Cell>
                    <Cell align="end">{day.reportedHours}</Cell>
                  </Row>
                ))}
              </Table>
            </div>
          </Disclosure>
        </>
      )}
    </Card>
  );
}
