import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import type { LogRow } from "./log-row.ts";
import { LogTable } from "./log-table.tsx";

export interface RecentDeliveriesProps {
  readonly rows: readonly LogRow[];
  /** The whole log of the endpoint. */
  readonly logHref: string;
}

export function RecentDeliveries({ rows, logHref }: RecentDeliveriesProps) {
  return (
    <Card
      actions={
        <ButtonLink href={logHref} size="sm">
          Open the log
        </ButtonLink>
      }
      flush
      title="Latest deliveries"
    >
      <div className="border-t">
        {rows.length === 0 ? (
          <p className="px-4 py-3 text-sm text-text-muted">
            Nothing has been sent yet. A test event shows whether your system answers.
          </p>
        ) : (
          <LogTable oneEndpoint rows={rows} />
        )}
      </div>
    </Card>
  );
}
