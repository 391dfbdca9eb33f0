import { operationNames } from "#components/license/event-text.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { Money } from "#components/ui/money.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { OpenOperationRow } from "#lib/services/wallet/list-open-operations.ts";
import { SubjectLink } from "./operation-subject.tsx";

export interface OpenOperationsProps {
  readonly operations: readonly OpenOperationRow[];
  readonly currency: string;
  /** The reader has pages of the licenses. */
  readonly linked: boolean;
}

/** What the provider has not confirmed yet, and the money it holds. Nothing while there is none. */
export function OpenOperations({ operations, currency, linked }: OpenOperationsProps) {
  if (operations.length === 0) return null;
  return (
    <Card
      description="The provider is asked until the answer is clear. Then the money is charged or released."
      flush
      title="Not confirmed yet"
    >
      <ul className="divide-y border-t text-sm">
        {operations.map((operation) => (
          <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5" key={operation.id}>
            <span className="flex min-w-0 flex-1 basis-64 flex-wrap items-center gap-x-2">
              <span className="font-medium">{operationNames[operation.kind]}</span>
              <SubjectLink linked={linked} of={operation} />
            </span>
            <span className="text-text-muted">
              since <Timestamp value={operation.createdAt} />
            </span>
            {operation.holdAmount === 0n ? (
              <Badge>Free</Badge>
            ) : (
              <Badge tone="accent">
                <Money currency={currency} minor={operation.holdAmount} /> held
              </Badge>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
