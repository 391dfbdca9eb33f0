import { ChartNoAxesColumn } from "lucide-react";
import { Card } from "#components/ui/card.tsx";
import { atEnd } from "#components/ui/column.ts";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { durationText } from "#components/ui/duration-text.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { SegmentedLinks, type SegmentedLinksProps } from "#components/ui/segmented.tsx";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { StatsBucketRow } from "#lib/services/webhook/stats.ts";
import { totalsOf } from "./chart.ts";
import { DeliveryChart } from "./delivery-chart.tsx";

export interface DeliveryChartCardProps {
  readonly buckets: readonly StatsBucketRow[];
  readonly bucketMs: number;
  readonly ranges: SegmentedLinksProps["links"];
}

/** How an endpoint has done: a picture, and the same as a table. */
export function DeliveryChartCard({ buckets, bucketMs, ranges }: DeliveryChartCardProps) {
  const { succeeded, failed } = totalsOf(buckets);
  const eventful = buckets.filter((bucket) => bucket.succeeded + bucket.failed > 0);
  return (
    <Card actions={<SegmentedLinks label="Time shown" links={ranges} />} title="Delivery">
      {succeeded + failed === 0 ? (
        <EmptyState
          description="Nothing was sent to this endpoint during this time."
          icon={<ChartNoAxesColumn />}
          title="No attempts"
        />
      ) : (
        <>
          <DeliveryChart bucketMs={bucketMs} buckets={buckets} />
          <Disclosure className="mt-3" openSummary="Hide table" summary="Show as a table">
            <div className="-mx-4 mt-2 border-t">
              <Table
                columns={[
                  "From",
                  atEnd("Succeeded"),
                  atEnd("Failed"),
                  atEnd("Median"),
                  { name: "95th percentile", align: "end", head: "95th pct." },
                ]}
                compact
                label="Attempts over time"
              >
                {eventful.map((bucket) => (
                  <BucketRow bucket={bucket} key={bucket.from.getTime()} />
                ))}
              </Table>
            </div>
          </Disclosure>
        </>
      )}
    </Card>
  );
}

function BucketRow({ bucket }: { readonly bucket: StatsBucketRow }) {
  const duration = (ms: number | null) => (ms === null ? "–" : durationText(ms));
  return (
    <Row>
      <Cell>
        <Timestamp format="short" value={bucket.from} />
      </Cell>
      <Cell align="end">{bucket.succeeded}</Cell>
      <Cell align="end">{bucket.failed}</Cell>
      <Cell align="end">{duration(bucket.p50Ms)}</Cell>
      <Cell align="end">{duration(bucket.p95Ms)}</Cell>
    </Row>
  );
}
