import { Card } from "#components/ui/card.tsx";
import { DescriptionList } from "#components/ui/description-list.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import type { Suggestion } from "#components/ui/suggestions.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { countText } from "#lib/domain/count-text.ts";
import type { Scope } from "#lib/domain/scopes.ts";
import type { KeyUsage } from "#lib/services/api-key/list-usage.ts";
import type { KeyDetails, SigningChoice } from "./api-key.ts";
import { scopesSummary, scopeTexts } from "./scope-presets.ts";
import { Usage } from "./usage-table.tsx";

const signingTexts = {
  none: "No",
  optional: "Optional: signed requests are checked",
  required: "Required: requests without a signature are refused",
} as const satisfies Record<SigningChoice, string>;

const LISTED_AT_ONCE = 2;

export interface KeyFactsProps {
  readonly keyDetails: KeyDetails;
  /** Null: not used in the last hour. */
  readonly usage: KeyUsage | null;
  /** The one license that it is bound to. */
  readonly license: Suggestion | null;
}

/** What a key is, without the key itself. */
export function KeyFacts({ keyDetails, usage, license }: KeyFactsProps) {
  const { hint, scopes, cidrs, rateLimitPerMinute, signing, state, expiresAt } = keyDetails;
  const { lastUsedAt, lastUsedFrom, createdAt } = keyDetails;
  return (
    <Card title="Details">
      <DescriptionList
        inColumns
        items={[
          { term: "Key", value: <code className="font-mono">{hint}</code> },
          license !== null && { term: "License", value: <BoundLicense license={license} /> },
          {
            term: "Allowed from",
            value:
              cidrs.length === 0 ? (
                "Any address"
              ) : (
                <ul className="flex flex-wrap gap-x-3 gap-y-0.5 font-mono text-xs">
                  {cidrs.map((cidr) => (
                    <li key={cidr}>{cidr}</li>
                  ))}
                </ul>
              ),
          },
          { term: "Rate limit", value: rateText(rateLimitPerMinute) },
          { term: "Spending limit", value: <SpendingLimit keyDetails={keyDetails} /> },
          {
            term: "Busiest minute",
            value:
              usage === null ? (
                "No request in the last hour"
              ) : (
                <span className="inline-flex flex-wrap items-center gap-x-2">
                  <Usage usage={usage} />
                  <span className="whitespace-nowrap text-text-muted">in the last hour</span>
                </span>
              ),
          },
          { term: "Signed requests", value: signingTexts[signing] },
          {
            term: state === "expired" ? "Expired" : "Expires",
            value: expiresAt === null ? "Never" : <Timestamp value={expiresAt} />,
          },
          {
            term: "Last used",
            value:
              lastUsedAt === null ? (
                "Never"
              ) : (
                <span>
                  <Timestamp format="exact" value={lastUsedAt} />
                  {lastUsedFrom !== null && <span className="text-text-muted"> from {lastUsedFrom}</span>}
                </span>
              ),
          },
          { term: "Created", value: <Timestamp value={createdAt} /> },
          { term: "Access", value: <Scopes scopes={scopes} />, wide: scopes.length <= LISTED_AT_ONCE, across: true },
        ]}
      />
    </Card>
  );
}

function BoundLicense({ license: { id, title, detail } }: { readonly license: Suggestion }) {
  return (
    <span>
      <TextLink href={`/licenses/${id}`}>{title}</TextLink>
      <span className="block text-text-muted">{detail}</span>
    </span>
  );
}

function SpendingLimit({ keyDetails: { spendingLimit, spent, currency } }: Pick<KeyFactsProps, "keyDetails">) {
  if (spendingLimit === null) return "None";
  return (
    <span>
      {moneyText(spendingLimit, currency)} a month
      {spent !== null && <span className="text-text-muted"> ({moneyText(spent, currency)} spent in this one)</span>}
    </span>
  );
}

function rateText(perMinute: number): string {
  return countText(perMinute, "request per minute", "requests per minute");
}

/** A few are listed; of more, what they amount to, and on demand each. */
function Scopes({ scopes }: { readonly scopes: readonly Scope[] }) {
  if (scopes.length <= LISTED_AT_ONCE) return <ScopeList scopes={scopes} />;
  return (
    <Disclosure
      className="-mt-0.5 grow pointer-coarse:-mt-2"
      summary={<span className="text-text">{scopesSummary(scopes)}</span>}
    >
      <div className="pt-1 pl-5">
        <ScopeList scopes={scopes} />
      </div>
    </Disclosure>
  );
}

function ScopeList({ scopes }: { readonly scopes: readonly Scope[] }) {
  return (
    <ul className="grow py-px xl:columns-2 xl:gap-x-12">
      {scopes.map((scope) => (
        <li className="break-inside-avoid py-px" key={scope}>
          <code className="font-mono text-xs">{scope}</code>
          <span className="ml-2 text-text-muted max-sm:ml-0 max-sm:block">{scopeTexts[scope]}</span>
        </li>
      ))}
    </ul>
  );
}
