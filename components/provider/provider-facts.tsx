import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { DescriptionList } from "#components/ui/description-list.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { countText, numberText } from "#lib/domain/count-text.ts";
import { ComparisonText } from "./comparison-text.tsx";
import type { ProviderState, ProviderView } from "./provider.ts";

const explanations = {
  untried: "No license request has been sent yet.",
  working: "It answers requests.",
  paused: "It repeatedly did not answer. Requests pause for 30 seconds, and nothing is charged meanwhile.",
  probing: "One request checks whether it answers again.",
  disabled: "Nothing is sent to it until it is enabled.",
} as const satisfies Record<ProviderState, string>;

/** How it has been doing. */
export function ProviderHealthCard({ provider }: { readonly provider: ProviderView }) {
  const { name, state, health, openOperations, comparison } = provider;
  const { lastSuccessAt = null, lastFailure = null, lastLatencyMs = null } = health ?? {};
  return (
    <Card description={explanations[state]} title="Health">
      <DescriptionList
        items={[
          lastSuccessAt !== null && {
            term: "Last success",
            value: (
              <span>
                <Timestamp value={lastSuccessAt} />
                {lastLatencyMs !== null && <span className="text-text-muted"> in {lastLatencyMs} ms</span>}
              </span>
            ),
          },
          lastFailure !== null && {
            term: "Last failure",
            value: (
              <span className="flex flex-col py-0.5">
                <Timestamp value={lastFailure.at} />
                <span className="text-text-muted">{lastFailure.message}</span>
              </span>
            ),
          },
          { term: "Pending operations", value: numberText(openOperations) },
          {
            term: "Last reconciled",
            value: (
              <span className="flex flex-col py-0.5">
                <ComparisonText comparison={comparison} />
                {comparison?.failureMessage != null && (
                  <span className="text-text-muted">{comparison.failureMessage}</span>
                )}
                {comparison !== null && (
                  <TextLink href={`/reconciliation?provider=${encodeURIComponent(name)}`}>Show differences</TextLink>
                )}
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}

const kindTexts: Readonly<Record<ProviderView["kind"], string>> = {
  sandbox: "Test provider. It issues nothing real and simulates failures.",
  dispatch: "Dispatch interface",
};

/** How it is reached, and what comes from it. */
export function ProviderFacts({ provider }: { readonly provider: ProviderView }) {
  const { name, kind, href, baseUrl, signs, productCount } = provider;
  const access = [
    { term: "Address", value: <code className="font-mono text-xs">{baseUrl}</code>, wide: true },
    { term: "API key", value: "Stored encrypted, never shown" },
    { term: "Requests", value: signs ? "Signed" : "Not signed" },
  ];
  return (
    <Card
      actions={
        kind === "dispatch" && (
          <Allowed to="providers:write">
            <ButtonLink href={`${href}/edit`} size="sm">
              Edit
            </ButtonLink>
          </Allowed>
        )
      }
      title="Connection"
    >
      <DescriptionList
        items={[
          { term: "Kind", value: kindTexts[kind] },
          ...(kind === "dispatch" ? access : []),
          { term: "Products", value: <ProductsLink count={productCount} provider={name} /> },
        ]}
      />
    </Card>
  );
}

function ProductsLink({ provider, count }: { readonly provider: string; readonly count: number }) {
  if (count === 0) return "0";
  return (
    <TextLink href={`/catalog?provider=${encodeURIComponent(provider)}`}>
      {countText(count, "product", "products")}
    </TextLink>
  );
}
