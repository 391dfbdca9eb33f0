import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { Money } from "#components/ui/money.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { type OperationSubject, SubjectLink } from "./operation-subject.tsx";

export interface OpenOperation {
  readonly id: string;
  /** E.g. "Renewal". */
  readonly name: string;
  readonly subject: OperationSubject | null;
  /** Minor units, as decimal text; "0" for what is free. */
  readonly held: string;
  /** ISO 8601, UTC. */
  readonly since: string;
}

export interface OpenOperationsProps {
  readonly operations: readonly OpenOperation[];
  readonly currency: string;
}

/** What the provider has not confirmed yet, and the money it holds. Nothing while there is none. */
export function OpenOperations({ operations, currency }: OpenOperationsProps) {
  if (operations.length === 0) return null;
  return (
    <Card
      description="The provider is asked until the answer is clear. Then the money is charged or released."
      flush
      title="Not confirmed yet"
    >
      <ul className="divide-y border-t text-sm">
        {operations.map(({ id, name, subject, held, since }) => (
          <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5" key={id}>
            <span className="flex min-w-0 flex-1 basis-64 flex-wrap items-center gap-x-2">
              <span className="font-medium">{name}</span>
              {subject && <SubjectLink {...subject} />}
            </span>
            <span className="text-text-muted">
              since <Timestamp value={since} />
            </span>
            {held === "0" ? (
              <Badge>Free</Badge>
            ) : (
              <Badge tone="accent">
                <Money currency={currency} minor={held} /> held
              </Badge>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
