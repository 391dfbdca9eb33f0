import { Card } from "#components/ui/card.tsx";
import { CardLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { TopUpRequestRow } from "#lib/services/wallet/list-top-up-requests.ts";
import { TopUpAmount } from "./top-up-amount.tsx";
import { paymentMethodNames } from "./top-up-request.ts";
import { TopUpStateBadge } from "./top-up-state-badge.tsx";

export interface TopUpRequestsProps {
  /** The newest few. */
  readonly requests: readonly TopUpRequestRow[];
}

/** What was asked for lately and what became of it. */
export function TopUpRequests({ requests }: TopUpRequestsProps) {
  return (
    <Card
      actions={requests.length > 0 && <CardLink href="/wallet/top-ups">All requests</CardLink>}
      flush
      title="Top-up requests"
    >
      {requests.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-text-muted">
          None yet. Once you have paid, request the top-up here, and an administrator credits it.
        </p>
      ) : (
        <ul className="divide-y border-t text-sm">
          {requests.map((request) => (
            <li className="flex flex-col gap-0.5 px-4 py-2.5" key={request.id}>
              <span className="flex items-center justify-between gap-3">
                <TopUpAmount {...request} />
                <TopUpStateBadge state={request.state} />
              </span>
              <span className="wrap-anywhere text-text-muted">
                {request.reference}, {paymentMethodNames[request.method].toLowerCase()},{" "}
                <Timestamp format="date" value={request.createdAt} />
              </span>
              {request.decisionNote !== "" && <span className="wrap-anywhere">“{request.decisionNote}”</span>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
