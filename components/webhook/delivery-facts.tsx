import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { ObjectId } from "#components/ui/object-id.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { UrlText } from "#components/ui/url-text.tsx";
import { type EventId, formatEventId, formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";
import type { EventDelivery } from "#lib/services/webhook/get-event.ts";
import { endpointHref, eventHref } from "./describe-endpoint.ts";
import { endpointName, type NamedEndpoint } from "./endpoint-name.ts";
import { EndpointStateBadge, OutcomeBadge } from "./state-badges.tsx";
import type { EndpointState } from "./webhook.ts";

export interface DeliveryFactsProps {
  readonly event: { readonly id: EventId; readonly occurredAt: Date; readonly licenseId: LicenseId | null };
  readonly delivery: EventDelivery;
  readonly state: EndpointState;
  /** The same event at other endpoints. */
  readonly others: readonly EventDelivery[];
  /** Those that have not been deleted. */
  readonly endpoints: readonly (NamedEndpoint & { readonly id: number })[];
}

/** What, of which license, to whom. */
export function DeliveryFacts({ event, delivery, state, others, endpoints }: DeliveryFactsProps) {
  const nameOf = ({ endpointId, endpointUrl }: EventDelivery) => {
    const endpoint = endpoints.find(({ id }) => id === endpointId);
    return endpoint ? endpointName(endpoint) : endpointUrl;
  };
  const eventId = formatEventId(event.id);
  return (
    <Card title="Delivery">
      <dl className="flex flex-col gap-3 text-sm">
        <Fact term="Event">
          <span className="-my-1 flex items-center gap-1 pointer-coarse:-my-2">
            <code className="wrap-anywhere min-w-0 font-mono text-xs">{eventId}</code>
            <CopyButton label="Copy event ID" value={eventId} />
          </span>
        </Fact>
        <Fact term="Happened">
          <Timestamp format="exact" value={event.occurredAt} />
        </Fact>
        {event.licenseId !== null && (
          <Fact term="License">
            <TextLink href={`/licenses/${event.licenseId}`}>
              <ObjectId linked>{formatLicenseId(event.licenseId)}</ObjectId>
            </TextLink>
          </Fact>
        )}
        <Fact term="Endpoint">
          <span className="flex flex-col items-start gap-1">
            <TextLink className="wrap-anywhere" href={endpointHref(delivery.endpointId)}>
              <UrlText>{nameOf(delivery)}</UrlText>
            </TextLink>
            {state !== "active" && <EndpointStateBadge state={state} />}
          </span>
        </Fact>
        {others.length > 0 && (
          <Fact term="Also sent to">
            <ul className="flex flex-col gap-1.5">
              {others.map((other) => (
                <li className="flex flex-wrap items-center gap-x-2 gap-y-1" key={other.endpointId}>
                  <TextLink className="wrap-anywhere" href={eventHref(other)}>
                    <UrlText>{nameOf(other)}</UrlText>
                  </TextLink>
                  <OutcomeBadge outcome={other.state} quiet />
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
