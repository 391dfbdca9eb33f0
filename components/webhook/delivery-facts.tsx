import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { EndpointStateBadge, OutcomeBadge } from "./state-badges.tsx";
import type { DeliveryDetails, EventDetails } from "./webhook.ts";

export interface DeliveryFactsProps {
  readonly event: EventDetails;
  readonly delivery: DeliveryDetails;
  /** The same event at other endpoints. */
  readonly others: readonly { readonly href: string; readonly delivery: DeliveryDetails }[];
}

/** What, of which license, to whom. */
export function DeliveryFacts({ event, delivery, others }: DeliveryFactsProps) {
  const { endpoint } = delivery;
  return (
    <Card title="Delivery">
      <dl className="flex flex-col gap-3 text-sm">
        <Fact term="Event">
          <span className="flex items-center gap-1">
            <code className="wrap-anywhere min-w-0 font-mono text-xs">{event.id}</code>
            <CopyButton label="Copy event ID" value={event.id} />
          </span>
        </Fact>
        <Fact term="Happened">
          <Timestamp format="exact" value={event.at} />
        </Fact>
        {event.license && (
          <Fact term="License">
            <TextLink className="font-mono" href={event.license.href}>
              {event.license.id}
            </TextLink>
          </Fact>
        )}
        <Fact term="Endpoint">
          <span className="flex flex-col items-start gap-1">
            <TextLink className="wrap-anywhere" href={endpoint.href}>
              {endpoint.url}
            </TextLink>
            {endpoint.state !== "active" && <EndpointStateBadge state={endpoint.state} />}
          </span>
        </Fact>
        {others.length > 0 && (
          <Fact term="Also sent to">
            <ul className="flex flex-col gap-1.5">
              {others.map(({ href, delivery: other }) => (
                <li className="flex flex-wrap items-center gap-x-2 gap-y-1" key={href}>
                  <TextLink className="wrap-anywhere" href={href}>
                    {other.endpoint.url}
                  </TextLink>
                  <OutcomeBadge outcome={other.outcome} />
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
    </Card>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-text-muted">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
