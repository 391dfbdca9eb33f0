import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { DescriptionList } from "#components/ui/description-list.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { UrlText } from "#components/ui/url-text.tsx";
import { kindsSummary } from "./event-kinds.ts";
import { formatTexts } from "./format-texts.ts";
import type { EndpointDetails } from "./webhook.ts";

/** An endpoint's settings. */
export function EndpointFacts({ endpoint }: { readonly endpoint: EndpointDetails }) {
  const { format, url, chatId, id, kinds, ordered, concurrency, createdAt } = endpoint;
  return (
    <Card
      actions={
        <Allowed to="webhooks:write">
          <ButtonLink href={`${endpoint.href}/edit`} size="sm">
            Edit
          </ButtonLink>
        </Allowed>
      }
      title="Settings"
    >
      <DescriptionList
        items={[
          { term: "Sends to", value: formatTexts[format].label },
          {
            term: format === "telegram" ? "Bot" : "URL",
            wide: true,
            value: (
              <>
                <code className="font-mono text-sm">
                  <UrlText>{url}</UrlText>
                </code>
                {format === "standard" && <CopyButton label="Copy URL" value={url} />}
              </>
            ),
          },
          chatId !== null && { term: "Chat ID", value: <code className="font-mono">{chatId}</code> },
          { term: "ID", value: <code className="font-mono">{id}</code> },
          {
            term: "Events",
            value:
              kinds.length === 0 ? (
                kindsSummary(kinds)
              ) : (
                <ul className="flex flex-wrap gap-x-3 gap-y-0.5 py-0.5">
                  {kinds.map((kind) => (
                    <li className="font-mono text-xs" key={kind}>
                      {kind}
                    </li>
                  ))}
                </ul>
              ),
          },
          {
            term: "Order",
            value: ordered ? "One at a time, in order" : `Any order, up to ${concurrency} at a time`,
          },
          { term: "Added", value: <Timestamp value={createdAt} /> },
        ]}
      />
    </Card>
  );
}
